import { env } from "cloudflare:workers";
import { vi } from "vitest";

/**
 * Lets D1 reject the next batches with an error, in requests and in objects.
 *
 * @param only sessions that have prepared such a query
 */
export function failD1(message: string, batches = Number.POSITIVE_INFINITY, only = /^/) {
  const open = env.DB.withSession.bind(env.DB);
  let left = batches;
  return vi.spyOn(env.DB, "withSession").mockImplementation((constraint) => {
    const session = open(constraint);
    let isMeant = false;
    return new Proxy(session, {
      get(target, name) {
        if (name === "prepare")
          return (query: string) => {
            isMeant ||= only.test(query);
            return target.prepare(query);
          };
        if (name === "batch" && isMeant && left-- > 0) return () => Promise.reject(new Error(message));
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  });
}
