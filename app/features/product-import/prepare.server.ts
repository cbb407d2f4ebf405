import type { Db } from "~/db/client.server";
import { claimImages, NO_SUCH_IMAGE } from "~/features/storage/image-claims.server";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { sha256 } from "~/session/tokens.server";
import { isErrorColumn, type Mapping } from "./columns";
import { type Choices, NO_CHOICES, type RecognisedLayout, recogniseLayout } from "./layouts/recognise";
import { type MergedEntry, mergeRows } from "./merge-rows";
import { quoted } from "./money";
import { countByNames, findMapping, saveMapping } from "./queries.server";
import { type ReadRow, readDrafts } from "./read-draft.server";
import { readSheet } from "./readers/read-sheet.server";
import { FILE_BYTES, type Sheet } from "./sheet";

/** A file that was read through and checked, and not yet compared with what is stored. */
export interface Prepared {
  sheet: Sheet;
  recognised: RecognisedLayout;
  folded: MergedEntry;
  /** What it was read by; null where all was guessed. */
  choices: Choices | null;
}

/** How a file is to be read. */
interface Reading {
  /** Staff's word on it; null when they said nothing. */
  choices: Choices | null;
  /** Whether what they said of such a file last time holds where they say nothing. */
  remembers?: boolean;
  /** Whether columns that can't be guessed may be asked for; else they are an error. */
  mayAsk?: boolean;
  /** Nothing is going to be stored. */
  isTrial?: boolean;
}

const ROWS_AT_ONCE = 250;
/** Names that are counted in one read. */
const NAMES_AT_ONCE = 5000;

/**
 * Reads a file through.
 *
 * @throws AppError unsupportedType (415), tooLarge (413), invalid (400)
 */
export async function prepareImport(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  file: File,
  { choices: said, remembers = false, mayAsk = false, isTrial = false }: Reading,
): Promise<Prepared> {
  if (file.size > FILE_BYTES) throw new AppError("tooLarge", "The file is larger than 10 MB");
  const sheet = await readSheet(file.name, new Uint8Array(await file.arrayBuffer()));
  if (sheet.rows.length === 0) throw new AppError("invalid", "The file has no rows below its headers");
  const choices = said ?? (remembers ? await rememberedChoices(db, sheet.headers) : null);
  const recognised = recogniseLayout(sheet, choices ?? NO_CHOICES, now);
  if (recognised.problem && !mayAsk) throw new AppError("invalid", recognised.problem);
  const read: ReadRow[] = [];
  for (const row of readDrafts(recognised.drafts)) {
    read.push(row);
    // A large file takes seconds: others are served in between.
    if (read.length % ROWS_AT_ONCE === 0) await scheduler.wait(0);
  }
  const rows = await withImages(read, (entries) => claimImages({ db, env, now }, entries, isTrial));
  const stored = await storedTwice(db, rows);
  const hasPrices = recognised.mapping.includes("price");
  return { sheet, recognised, choices, folded: mergeRows(rows, (key) => stored.get(key) ?? 0, hasPrices) };
}

/** Refuses rows with images that the server has not issued; those of all rows are looked up together. */
async function withImages(
  rows: ReadRow[],
  claim: (entries: Set<string>) => Promise<Map<string, string>>,
): Promise<ReadRow[]> {
  const claims = await claim(new Set(rows.flatMap((row) => ("values" in row && row.values.imageUrls) || [])));
  return rows.map((row) => {
    if (!("values" in row) || !row.values.imageUrls) return row;
    const { imageUrls } = row.values;
    const foreign = imageUrls.find((entry) => !claims.has(entry));
    if (foreign !== undefined)
      return { draft: row.draft, error: `Images: ${quoted(foreign)}. ${NO_SUCH_IMAGE}` };
    return {
      ...row,
      values: { ...row.values, imageUrls: imageUrls.map((entry) => claims.get(entry) ?? entry) },
    };
  });
}

/** How many products are stored of the names that the file has more than once; as a rule it has none. */
async function storedTwice(db: Db, rows: ReadRow[]): Promise<Map<string, number>> {
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

/** Under what the categories of kinds are remembered, whatever file they come from. */
const KINDS = "kinds";

/** Under what the columns of files with these headers are remembered; a file of refused rows is one of them. */
function headersHash(headers: string[]): Promise<string> {
  return sha256(JSON.stringify(headers.filter((header) => !isErrorColumn(header))));
}

/** Where columns stand, by their places in such a file without its errors. */
function plainPlaces(headers: string[]): (number | null)[] {
  let place = 0;
  return headers.map((header) => (isErrorColumn(header) ? null : place++));
}

/** What staff said last time of a file like this one; null when they said nothing. */
async function rememberedChoices(db: Db, headers: string[]): Promise<Choices | null> {
  const [places, kinds] = await Promise.all([
    findMapping(db, await headersHash(headers)),
    findMapping(db, KINDS),
  ]);
  if (!places && !kinds) return null;
  const columns = places && plainPlaces(headers).map((place) => (place === null ? null : places[place]));
  return {
    columns: columns && (columns.map((field) => field ?? null) as Mapping),
    names: {},
    categories: (kinds ?? {}) as Choices["categories"],
  };
}

/**
 * Remembers for the next file of these headers where its columns go, and for any file what its kinds are.
 */
export async function rememberMapping(
  { db, now }: Pick<RequestContext, "db" | "now">,
  { sheet: { headers }, recognised: { mapping }, choices }: Prepared,
): Promise<void> {
  if (!choices) return;
  const { columns, names, categories } = choices;
  if (columns || Object.keys(names).length > 0) {
    const places = plainPlaces(headers).flatMap((place, at) => {
      const field = mapping[at];
      return place !== null && field ? [[String(place), field]] : [];
    });
    await saveMapping(db, await headersHash(headers), Object.fromEntries(places), now);
  }
  // What is said of products without a kind is said of this file alone.
  const { "": _, ...kinds } = categories;
  if (Object.keys(kinds).length === 0) return;
  const known = await findMapping(db, KINDS);
  await saveMapping(db, KINDS, { ...known, ...kinds }, now);
}
