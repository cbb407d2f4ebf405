import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { type D1Meter, meteredD1 } from "./metered-d1.server";

/** The shop's database as queries see it. Without drizzle's `query`, which costs every request a walk of the schema. */
export type Db = DrizzleD1Database & { $client: D1Database };

/**
 * Opens D1 for one request: nearest replica that is at least as new as `bookmark`, every read and write counted.
 *
 * @param d1 the binding
 * @param bookmark from the bookmark cookie, or null for a reader who has written nothing lately
 * @returns `db` for queries, `meter` with what they cost so far, `bookmark()` for the cookie after a write
 */
export function openDb(
  d1: D1Database,
  bookmark: string | null,
): { db: Db; meter: D1Meter; bookmark: () => string | null } {
  const session = d1.withSession(bookmark ?? "first-unconstrained");
  const { client, meter } = meteredD1(session);
  return { db: drizzle(client), meter, bookmark: () => session.getBookmark() };
}
