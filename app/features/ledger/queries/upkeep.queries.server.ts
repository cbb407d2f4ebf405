import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { type Difference, LEDGER_CHECKS } from "./check.queries";

/** Where the books' sums differ from their rows; each kind of sum tells at most 100. */
export async function findDifferences(db: Db): Promise<Difference[]> {
  const found = await Promise.all(LEDGER_CHECKS.map((check) => db.all<Difference>(sql.raw(check))));
  return found.flat();
}
