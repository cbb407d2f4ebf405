import { env } from "cloudflare:workers";
import { vi } from "vitest";

type Batch = D1DatabaseSession["batch"];

/**
 * Puts a function before the batches of sessions, in requests and in objects.
 *
 * @param only sessions that have prepared such a query
 * @param before gets the batch that was to run
 */
function wrapBatches(only: RegExp, before: (run: () => ReturnType<Batch>) => ReturnType<Batch>) {
  const open = env.DB.withSession.bind(env.DB);
  return vi.spyOn(env.DB, "withSession").mockImplementation((constraint) => {
    const session = open(constraint);
    // A session that goes on at the primary sends statements that the one before has prepared.
    let isMeant = only.test("");
    return new Proxy(session, {
      get(target, name) {
        if (name === "prepare")
          return (query: string) => {
            isMeant ||= only.test(query);
            return target.prepare(query);
          };
        if (name === "batch" && isMeant)
          return (statements: D1PreparedStatement[]) => before(() => target.batch(statements));
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  });
}

/**
 * Lets D1 reject the next batches with an error.
 *
 * @param only sessions that have prepared such a query
 */
export function failD1(message: string, batches = Number.POSITIVE_INFINITY, only = /^/) {
  let left = batches;
  return wrapBatches(only, (run) => (left-- > 0 ? Promise.reject(new Error(message)) : run()));
}

/** Lets something else happen just before the first batch of a session that has prepared such a query. */
export function beforeBatch(only: RegExp, act: () => Promise<unknown>) {
  let hasActed = false;
  return wrapBatches(only, async (run) => {
    if (!hasActed) {
      hasActed = true;
      await act();
    }
    return run();
  });
}
