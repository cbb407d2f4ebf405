// Timings, each beside something that does less and is served the same way.
import { compare } from "./load.mjs";
import { emptyRemix, emptyWorker, generatedShop } from "./shops.mjs";
import { number } from "./table.mjs";

const PRODUCTS = 1_000;
const BOUNDS = { rounds: 9, seconds: 3 };

/** A page that everyone gets alike, from the edge, beside a Worker that has nothing to do. */
export async function cached() {
  return beside("cached / (requests/s)", "empty Worker", 0.7, emptyWorker, { path: "/" });
}

/** A list that is rendered for each reader, beside a Remix page that reads D1 once. */
export async function rendered() {
  const headers = { Cookie: "emporia_seen=1" };
  return beside("rendered /shop (requests/s)", "empty Remix page", 0.6, emptyRemix, {
    path: "/shop",
    headers,
  });
}

async function beside(what, name, budget, startReference, { path, headers }) {
  const shop = await generatedShop(PRODUCTS);
  const reference = await startReference().catch(async (error) => {
    await shop.stop();
    throw error;
  });
  try {
    const ours = { url: shop.url + path, pid: shop.pid, headers };
    const found = await compare(ours, { url: `${reference.url}/`, pid: reference.pid }, BOUNDS);
    const [least, most] = found.spread.map((ratio) => ratio.toFixed(2));
    const row = {
      what,
      ours: number(Math.round(found.ours)),
      reference: `${number(Math.round(found.reference))} ${name}`,
      ratio: `${found.ratio.toFixed(2)} (${least}–${most})`,
      budget: `≥ ${budget}`,
      pass: found.ratio >= budget,
    };
    return found.cpuRatio === null ? [row] : [row, cpuRow(what, found.cpuRatio)];
  } finally {
    await Promise.all([shop.stop(), reference.stop()]);
  }
}

function cpuRow(what, ratio) {
  return {
    what: `${what.replace("requests/s", "CPU time")}`,
    ours: "",
    ratio: ratio.toFixed(2),
    budget: "",
    pass: null,
  };
}
