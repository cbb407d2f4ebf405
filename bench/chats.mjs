// Rows read by the console at 100,000 chats.
import { costOf, signIn } from "./ledger.mjs";
import { chatShop } from "./shops.mjs";

const CHATS = 100_000;
const MAX_ROWS = 250;
const MAX_TRIPS = 3;
const FILTERS = ["", "unanswered", "mine", "open", "closed"];
/** Searches with the number of their matches: a whole name, a part of the text, an address, beginnings of words. */
const SEARCHES = {
  "visitor 47110": 1,
  "question 4711": 11,
  "question 471": 111,
  "many98@mail.example": 1,
  vi: CHATS,
};

/** First view of the console with each filter, and searches. */
export async function chats() {
  const shop = await chatShop(CHATS);
  try {
    const headers = { Authorization: `Bearer ${await signIn(shop.url)}` };
    const read = async (query) =>
      costOf(await fetch(`${shop.url}/admin/chat?${new URLSearchParams(query)}`, { headers }));
    const views = [];
    for (const filter of FILTERS) views.push(await read({ filter }));
    const searches = [];
    for (const [q, matches] of Object.entries(SEARCHES)) searches.push({ matches, ...(await read({ q })) });
    const most = (costs) => ({
      rows: Math.max(...costs.map(({ rows }) => rows)),
      trips: Math.max(...costs.map(({ trips }) => trips)),
    });
    const first = most(views);
    return [
      {
        what: `rows read · round trips of the console, any filter, ${CHATS.toLocaleString("en")} chats`,
        ours: `${first.rows} · ${first.trips}`,
        budget: `≤ ${MAX_ROWS} · ≤ ${MAX_TRIPS}`,
        pass: first.rows <= MAX_ROWS && first.trips <= MAX_TRIPS,
      },
      {
        what: `rows read by its searches with ${searches.map(({ matches }) => matches).join(", ")} matches`,
        ours: searches.map(({ rows }) => rows).join(", "),
        budget: `≤ ${MAX_ROWS} and the matches`,
        pass: searches.every(({ rows, matches }) => rows <= MAX_ROWS + matches),
      },
    ];
  } finally {
    await shop.stop();
  }
}
