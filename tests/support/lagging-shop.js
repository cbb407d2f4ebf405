// The built shop on a database whose replica lags behind, for `npm run test:lag`; wrangler bundles this (running-shop.ts).
import shop from "../../build/worker/app.js";
import { LaggingD1, laggingBindings } from "./lagging-d1";

export * from "../../build/worker/app.js";

/** Stale reads that are reported at once. */
const REPORTED = 10;

/** One for the process: all objects and requests share its isolate. */
let lagging;
let reported = 0;

export default {
  ...shop,
  async fetch(request, env, context) {
    lagging ??= new LaggingD1(Number(env.LAG_SEED));
    const unreported = lagging.staleReads - reported;
    if (unreported >= REPORTED) {
      reported += unreported;
      context.waitUntil(fetch(env.LAG_REPORT, { method: "POST", body: String(unreported) }));
    }
    return shop.fetch(request, laggingBindings(env, request), context);
  },
};
