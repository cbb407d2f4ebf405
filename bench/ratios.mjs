// Timings, each compared with a simpler server that runs in the same way.
import { compare } from "./load.mjs";
import { cachedPage, emptyRemix, emptyWorker, generatedShop } from "./shops.mjs";
import { number } from "./table.mjs";

const PRODUCTS = 1_000;
/** Both sides run behind wrangler's proxy, for which the budgets were set. */
const FRONT = "engine";
const BOUNDS = { rounds: 9, seconds: 3 };
/** Cookie of the shop, which bypasses the edge cache. */
const READER = { Cookie: "emporia_seen=1" };

/**
 * Measures a cached page, compared with an empty Worker and with a Worker that returns a stored page of the same size from
 * the Cache API.
 */
export async function cached() {
  const what = "cached / (requests/s)";
  return [
    ...(await beside({ what, path: "/" }, { name: "empty Worker", start: emptyWorker }, 0.7)),
    ...(await beside({ what, path: "/" }, { name: "cached page passed on", start: cachedPage }, null)),
  ];
}

/** Measures a page that is rendered for each request, compared with a Remix page that reads D1 once. */
export async function rendered() {
  const ours = { what: "rendered /shop (requests/s)", path: "/shop", headers: READER };
  return beside(ours, { name: "empty Remix page", start: emptyRemix }, 0.45);
}

async function beside(page, reference, budget) {
  const shop = await generatedShop(PRODUCTS, FRONT);
  const other = await reference.start().catch(async (error) => {
    await shop.stop();
    throw error;
  });
  try {
    const ours = { url: shop.url + page.path, pid: shop.pid, headers: page.headers };
    const bytes = (await (await fetch(ours.url)).arrayBuffer()).byteLength;
    const theirs = { url: `${other.url}/?bytes=${bytes}`, pid: other.pid };
    return rows(page.what, reference.name, await compare(ours, theirs, BOUNDS), budget);
  } finally {
    await Promise.all([shop.stop(), other.stop()]);
  }
}

function rows(what, name, found, budget) {
  const [least, most] = found.spread.map((ratio) => ratio.toFixed(2));
  const rate = {
    what,
    ours: number(Math.round(found.ours)),
    reference: `${number(Math.round(found.reference))} ${name}`,
    ratio: `${found.ratio.toFixed(2)} (${least}–${most})`,
    budget: budget === null ? "" : `≥ ${budget}`,
    pass: budget === null ? null : found.ratio >= budget,
  };
  if (found.cpuRatio === null) return [rate];
  const cpu = {
    what: what.replace("requests/s", "by CPU time"),
    ours: "",
    reference: name,
    budget: "",
    pass: null,
  };
  return [rate, { ...cpu, ratio: found.cpuRatio.toFixed(2) }];
}
