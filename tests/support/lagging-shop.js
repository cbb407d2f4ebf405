// The built shop on a database whose replica lags behind, for `npm run test:lag`; wrangler bundles this (running-shop.ts).
import shop from "../../build/worker/app.js";
import { isPromisedNothing, LaggingD1 } from "./lagging-d1";

export * from "../../build/worker/app.js";

/** One for the process: all objects and requests share its isolate. */
let lagging;

export default {
  ...shop,
  async fetch(request, env, context) {
    lagging ??= new LaggingD1(Number(env.LAG_SEED));
    if (isPromisedNothing(request)) await lagging.catchUp();
    return shop.fetch(request, env, context);
  },
};
