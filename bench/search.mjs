// Search time of D1 in a large shop: both round trips, from Server-Timing.
import { median, quantile } from "./load.mjs";
import { generatedShop } from "./shops.mjs";
import { atMost } from "./table.mjs";

const PRODUCTS = 100_000;
const MAX_MATCHES = 1_000;
const SEARCHES = 300;
/** Repetitions of each search, spread over the run; the median counts. */
const ROUNDS = 3;
const BUDGET_MS = 20;

/** Searches of all kinds that have some matches and at most 1,000 of them. */
export async function search() {
  const shop = await generatedShop(PRODUCTS);
  try {
    const texts = await queries(shop.url);
    for (const text of texts.slice(0, 20)) await ask(shop.url, text);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const answers = [];
      for (const text of texts) answers.push(await ask(shop.url, text));
      rounds.push(answers);
    }
    const found = texts.map((_, i) => rounds.map((answers) => answers[i]));
    const times = found
      .filter(([{ total }]) => total > 0 && total <= MAX_MATCHES)
      .map((answers) => median(answers.map(({ ms }) => ms)));
    const suggested = [];
    for (const text of texts.flatMap(beginnings)) suggested.push((await suggest(shop.url, text)).ms);
    const what = `search in ${PRODUCTS} products, ${times.length} searches with ≤ ${MAX_MATCHES} matches`;
    const p50 = { what: `${what}, p50`, ours: `${quantile(times, 0.5)} ms`, budget: "", pass: null };
    const typed = `suggestions in ${PRODUCTS} products, ${suggested.length} beginnings of searches`;
    return [
      p50,
      atMost(`${what}, p95`, quantile(times, 0.95), BUDGET_MS, " ms"),
      atMost(`${typed}, p95`, quantile(suggested, 0.95), BUDGET_MS, " ms"),
    ];
  } finally {
    await shop.stop();
  }
}

/** Creates typical search texts from product names across the catalogue. */
async function queries(url) {
  const kinds = [
    (/** @type {string[]} */ [look, stuff]) => `${look} ${stuff}`,
    ([, stuff, thing, , maker]) => `${maker} ${stuff} ${thing}`,
    ([, , , , maker]) => maker,
    ([, , , , maker]) => maker.slice(0, 5),
    ([, , , , maker]) => maker.slice(0, 3) + maker.slice(4),
    ([look, , thing]) => `${look} ${thing.slice(0, 3)}`,
    ([, , , , , model]) => model,
    ([, , thing, , maker]) => `${thing.slice(0, -2)}${thing.slice(-1)} ${maker}`,
  ];
  const texts = [];
  for (let i = 0; i < SEARCHES; i++) {
    const place = Math.floor((i * PRODUCTS) / SEARCHES);
    const [{ name }] = await (await fetch(`${url}/api/product/all?limit=1&offset=${place}`)).json();
    texts.push(kinds[i % kinds.length](name.toLowerCase().split(" ")));
  }
  return texts;
}

/** Beginnings of a search, as typed when suggestions appear: two letters, four, a word and more. */
const beginnings = (text) => [
  ...new Set([2, 4, 7, text.length].map((letters) => text.slice(0, letters).trim())),
];

const ask = (url, text) => timed(`${url}/api/product/all?limit=24&search=${encodeURIComponent(text)}`);

const suggest = (url, text) => timed(`${url}/api/product/suggest?q=${encodeURIComponent(text)}`);

/** Number of matches, and the time in D1. */
async function timed(url) {
  const answer = await fetch(url);
  const [, ms] = /d1;desc="[^"]*";dur=([\d.]+)/.exec(answer.headers.get("Server-Timing") ?? "") ?? [];
  await answer.arrayBuffer();
  return { total: Number(answer.headers.get("X-Total-Count")), ms: Number(ms) };
}
