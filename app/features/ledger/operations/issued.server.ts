import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { findDocumentNumber } from "../queries/entries.server";
import type { EntryTable } from "../queries/tables.server";

/**
 * Explains why a trigger refused to change or delete an entry.
 *
 * @throws AppError conflict for the line of an issued document, otherwise the error
 */
export async function explainRefusal(
  { db }: Pick<RequestContext, "db">,
  table: EntryTable,
  id: string,
  error: unknown,
): Promise<never> {
  const number = table.kind === "invoice" ? await findDocumentNumber(db, id) : null;
  if (!number) throw error;
  throw new AppError("conflict", `This line belongs to ${number}. Correct it with a credit note.`);
}
