// Timings, each beside something that does less and is served the same way.
import { compare } from "./load.mjs";
import { cachedPage, emptyRemix, emptyWorker, generatedShop } from "./shops.mjs";
import { number } from "./table.mjs";

const PRODUCTS = 1_000;
/** Both sides stand behind the engine's own proxy, as any Worker does under wrangler dev: the budgets were set there. */
const FRONT = "engine";
const BOUNDS = { rounds: 9, seconds: 3 };
/** A cookie of the shop's, so that nothing comes from the edge. */
const READER = { Cookie: "emporia_seen=1" };

/**
 * A page that everyone gets alike, from the edge: beside a Worker that has nothing to do, and beside one that passes
 * on a kept page of that size as it is, which is as far as the Cache API of this machine goes.
 */
export async function cached() {
  const what = "cached / (requests/s)";
  return [
    ...(await beside({ what, path: "/" }, { name: "empty Worker", start: emptyWorker }, 0.7)),
    ...(await beside({ what, path: "/" }, { name: "cached page passed on", start: cachedPage }, null)),
  ];
}

/** A list that is rendered for each reader, beside a Remix page that reads D1 once. */
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
