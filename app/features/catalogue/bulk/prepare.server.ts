import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { sha256 } from "~/session/token.server";
import { type Folded, foldRows } from "./fold";
import { countByNames, findMapping } from "./imports.queries.server";
import { type Choices, type Recognised, recognise } from "./layouts/recognise";
import { type ReadRow, readDrafts } from "./read-draft.server";
import { readSheet } from "./readers/read-sheet.server";
import type { Sheet } from "./sheet";

/** A file that was read through and checked, and not yet compared with what is stored. */
export interface Prepared {
  sheet: Sheet;
  recognised: Recognised;
  folded: Folded;
}

/** Names that are counted in one read. */
const NAMES_AT_ONCE = 5000;

/**
 * Reads a file through.
 *
 * @param choices staff's word on it, or null: then all is guessed
 * @param mayAsk whether columns that can't be guessed may be asked for; else they are an error
 * @throws AppError unsupportedType (415), tooLarge (413), invalid (400)
 */
export async function prepare(
  { db, now }: Pick<RequestContext, "db" | "now">,
  file: File,
  choices: Choices | null,
  mayAsk = false,
): Promise<Prepared> {
  const sheet = await readSheet(file.name, new Uint8Array(await file.arrayBuffer()));
  if (sheet.rows.length === 0) throw new AppError("invalid", "The file has no rows below its headers");
  const recognised = recognise(sheet, choices ?? { columns: null, categories: {} }, now);
  if (recognised.problem && !mayAsk) throw new AppError("invalid", recognised.problem);
  const rows = [...readDrafts(recognised.drafts)];
  const stored = await storedTwice(db, rows);
  return { sheet, recognised, folded: foldRows(rows, (key) => stored.get(key) ?? 0) };
}

/** How many products are stored of the names that the file has more than once; as a rule it has none. */
async function storedTwice(db: RequestContext["db"], rows: ReadRow[]): Promise<Map<string, number>> {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const row of rows) {
    if (!("values" in row)) continue;
    if (once.has(row.values.key)) twice.add(row.values.key);
    once.add(row.values.key);
  }
  const names = [...twice];
  const counts = new Map<string, number>();
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE)
    for (const [key, count] of await countByNames(db, names.slice(from, from + NAMES_AT_ONCE)))
      counts.set(key, count);
  return counts;
}

/** Under what the choices for files with these headers are remembered. */
export function headersHash(headers: string[]): Promise<string> {
  return sha256(JSON.stringify(headers));
}

/** Under what the categories of kinds are remembered, whatever file they come from. */
export const KINDS = "kinds";

/** What staff said last time of a file like this one; null when they said nothing. */
export async function rememberedChoices(
  db: RequestContext["db"],
  headers: string[],
): Promise<Choices | null> {
  const [columns, kinds] = await Promise.all([
    findMapping(db, await headersHash(headers)),
    findMapping(db, KINDS),
  ]);
  if (!columns && !kinds) return null;
  return {
    columns: columns ? (headers.map((_, place) => columns[place] ?? null) as Choices["columns"]) : null,
    categories: (kinds ?? {}) as Choices["categories"],
  };
}
