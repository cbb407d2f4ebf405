import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { cardOf, postMessage, startChat } from "../../support/chat";
import { costOf } from "../../support/cost";
import { SAVED_SETTINGS } from "../../support/large-subjects";
import { admin } from "../../support/people";
import { addProduct, addUser, call, insert, openSession } from "../../support/shop";

const CHATS = 5000;
let token: string;

beforeAll(async () => {
  ({ token } = await admin());
  await env.DB.prepare(
    `INSERT INTO chats (id, user_name, user_email, last_message, last_message_at, unread_count, revision, created_at,
       month, state, waiting_since)
     WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ?)
     SELECT 'many-' || n, 'Visitor ' || n, 'many' || n || '@mail.example', 'Question ' || n, 1700000000000 + n, n % 2, 1,
       1700000000, '2023-11', iif(n % 3 = 0, 'closed', 'open'), iif(n % 5 = 0, 1700000000000, NULL) FROM many`,
  )
    .bind(CHATS)
    .run();
  await insert("shop_settings", SAVED_SETTINGS);
});

describe(`the console with ${CHATS} chats`, () => {
  it.each(["", "filter=unanswered", "filter=mine", "filter=open", "filter=closed"])(
    "reads 250 rows at most: %s",
    async (query) => {
      const answer = await call(`/admin/chat?${query}`, { token });
      expect(await answer.text()).toContain("Conversations");
      expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
    },
  );

  it("says that there are more unread messages than were counted, with and without scripts", async () => {
    const page = (await (await call("/admin", { token })).text()).replaceAll("<!-- -->", "");
    expect(page).toContain("<title>(16+) Dashboard");
    expect(page).toContain("Open menu, unread messages: 16+");
    expect(await (await call("/admin/unread", { token })).json()).toMatchObject({
      messages: 16,
      isMore: true,
    });
  });

  it("reads 250 rows at most with an open chat of a regular: cards, cart and their 500 other chats", async () => {
    const { id } = await addUser({});
    const customer = await openSession(id);
    const { chatId } = await startChat({ initialMessage: "Hello" }, { token: customer });
    await env.DB.prepare(
      "UPDATE chats SET user_id = ? WHERE id LIKE 'many-%' AND created_at = 1700000000 AND last_message_at <= 1700000000500",
    )
      .bind(id)
      .run();
    for (let n = 0; n < 25; n++) {
      const product = await addProduct({ id: `carded-${n}`, name: `Carded ${n}` });
      expect((await postMessage(chatId, `Look ${n}`, { token }, { card: cardOf(product) })).status).toBe(201);
    }
    const answer = await call(`/admin/chat?chat=${chatId}`, { token });
    expect(await answer.text()).toMatch(/Earlier.*5 chats/s);
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
    expect(costOf(answer).roundTrips).toBeLessThanOrEqual(3);
  });

  it.each([
    ["q=question+4711", 1],
    ["q=question+47", 111],
    ["q=question+47&filter=closed", 111],
    ["q=zo", 300],
    ["q=zo&filter=unanswered", 300],
  ])("reads 250 rows and the matches of a search at most: %s", async (query, matches) => {
    await env.DB.prepare(
      `INSERT OR IGNORE INTO chats (id, user_name, last_message_at, revision, created_at, month, waiting_since)
       WITH RECURSIVE zoes(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM zoes WHERE n < 300)
       SELECT 'zoe-' || n, 'Zoe ' || n, 1600000000000 + n, 1, 1600000000, '2020-09', iif(n % 2, 1600000000000, NULL) FROM zoes`,
    ).run();
    const answer = await call(`/admin/chat?${query}`, { token });
    expect(await answer.text()).toContain(query.startsWith("q=zo") ? "Zoe 299" : "@mail.example");
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250 + matches);
    expect(costOf(answer).roundTrips).toBeLessThanOrEqual(3);
  });
});
