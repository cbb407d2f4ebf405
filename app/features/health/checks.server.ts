import { AUDIT_READS } from "~/features/audit/chain";
import { LEDGER_CHECKS } from "~/features/ledger/queries/check";
import { NAMED_SALE_CHECKS } from "~/features/sales/queries/check";
import { AppError } from "~/http/errors";
import { readRows } from "./check.queries.server";

/** Statements of scripts/check-ledger.mjs and check-audit.mjs, which open no second engine on the folder of a running shop. */
const READS: Map<string, (seq: number) => string[]> = new Map(
  Object.entries({ ledger: () => [...LEDGER_CHECKS, ...NAMED_SALE_CHECKS], ...AUDIT_READS }),
);

/**
 * Reads what a check compares.
 *
 * @param seq row of the audit log, for reads of it
 * @throws AppError notFound for an unknown name
 */
export async function readForCheck({ DB }: Env, name: string, seq: number): Promise<unknown[]> {
  const statements = READS.get(name)?.(seq);
  if (!statements) throw new AppError("notFound", "No such read");
  return readRows(DB, statements);
}
