import type { Db } from "~/db/client.server";
import { identityKey, sortKey } from "~/db/text";
import { claimImages, NO_SUCH_IMAGE } from "~/features/storage/image-claims.server";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { sha256 } from "~/session/tokens.server";
import { divideEntries, type ImportBatch } from "./commit.server";
import { outlineOf, planEntryUnits } from "./entry-units.server";
import { resolveKeys } from "./keys.server";
import { type MappingChoices, NO_CHOICES, type RecognisedLayout, recogniseLayout } from "./layouts/recognise";
import { type Entry, type MergedRows, mergeRows } from "./merge-rows.server";
import { quoted } from "./money";
import { completeParts } from "./parts.server";
import { findMapping, saveMapping } from "./queries/mappings.server";
import { countByNames, findOutdatedKeys, storeNameKeys } from "./queries/products.server";
import { type ReadRow, readDrafts } from "./read-rows.server";
import { readSheet } from "./readers/read-sheet.server";
import {
  ENCODING_NAMES,
  isErrorColumn,
  MAX_ROWS,
  MAX_VARIANT_ROWS,
  type Mapping,
  type Sheet,
  type SheetReading,
} from "./sheet";
import { keyBySku } from "./skus.server";

export interface SourceFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file that was read and validated, before it is compared with the stored products. */
export interface Prepared {
  sheet: Sheet;
  recognised: RecognisedLayout;
  merged: MergedRows;
  /** The products of `merged`, as they are stored. */
  batches: ImportBatch[];
  /** Choices that were applied; null where everything was guessed. */
  choices: MappingChoices | null;
  /** The columns are those chosen for an earlier file of these headers. */
  isRemembered: boolean;
}

interface PrepareOptions {
  /** Choices of staff; null when they made none. */
  choices: MappingChoices | null;
  /** Applies the choices saved for such files where `choices` is null. */
  usesSavedChoices?: boolean;
  /** Returns the problem with the columns, and open questions, in place of throwing them. */
  allowsUnmapped?: boolean;
  /** A dry run has shown how the text is read. */
  isPlanned?: boolean;
  isDryRun?: boolean;
}

const ROWS_PER_SLICE = 250;
const NAMES_PER_QUERY = 5000;

/** Reads and validates a file. @throws AppError unsupportedType (415), tooLarge (413), invalid (400) */
export async function prepareImport(
  { db, env, now }: Pick<RequestContext, "db" | "env" | "now">,
  { name, bytes }: SourceFile,
  options: PrepareOptions,
): Promise<Prepared> {
  const { choices: requested, usesSavedChoices = false, allowsUnmapped = false, isDryRun = false } = options;
  const sheet = await readSheet(name, bytes, requested?.reading);
  if (sheet.rows.length === 0) throw new AppError("invalid", "The file has no rows below its headers");
  const saved = usesSavedChoices ? await savedChoices(db, sheet.headers, requested) : null;
  const choices = saved ?? requested;
  const recognised = recogniseLayout(sheet, choices ?? NO_CHOICES, now);
  const problem =
    recognised.problem ??
    priceQuestion(recognised) ??
    (options.isPlanned ? undefined : encodingQuestion(sheet.reading));
  if (problem && !allowsUnmapped) throw new AppError("invalid", problem);
  refuseManyRows(sheet, recognised);
  const read: ReadRow[] = [];
  for (const row of readDrafts(recognised.drafts, choices ?? NO_CHOICES)) {
    read.push(row);
    // A large file takes seconds: other requests are served in between.
    if (read.length % ROWS_PER_SLICE === 0) await scheduler.wait(0);
  }
  recognised.drafts = read.map(({ draft }) => draft);
  const rows = await withImages(read, (entries) => claimImages({ db, env, now }, entries, isDryRun));
  await updateNameKeys(db, rows);
  await keyBySku(db, rows);
  const stored = await countStoredOfRepeatedNames(db, rows);
  const hasPrices = recognised.mapping.includes("price");
  const merged = mergeRows(rows, (key) => stored.get(key) ?? 0, hasPrices, choices?.variantPrice);
  await resolveKeys(db, merged.entries);
  await completeParts(db, merged);
  await outlineUnits(db, merged);
  const batches = divideEntries(merged.entries);
  return { sheet, recognised, choices, isRemembered: Boolean(saved?.columns), merged, batches };
}

/** Refuses too many products, or too many variants of them. @throws AppError tooLarge (413) */
function refuseManyRows({ rows }: Sheet, { drafts }: RecognisedLayout): void {
  const variants = drafts.length === 0 ? 0 : rows.length - drafts.length;
  const number = (count: number) => count.toLocaleString("en");
  if (drafts.length > MAX_ROWS)
    throw new AppError("tooLarge", `The file has more than ${number(MAX_ROWS)} rows`);
  if (variants > MAX_VARIANT_ROWS)
    throw new AppError("tooLarge", `The file has more than ${number(MAX_VARIANT_ROWS)} rows of variants`);
}

/** Outlines the units that products get, slice by slice, and rejects the products whose units break a rule. */
async function outlineUnits(db: Db, merged: MergedRows): Promise<void> {
  const divided = merged.entries.filter(({ values }) => values.units !== null);
  const lost = new Set<Entry>();
  for (let from = 0; from < divided.length; from += ROWS_PER_SLICE) {
    const { plans, refused } = await planEntryUnits(db, divided.slice(from, from + ROWS_PER_SLICE));
    for (const [entry, plan] of plans) entry.plan = outlineOf(plan);
    for (const { entry, error } of refused) {
      lost.add(entry);
      merged.rejected.push(...entry.rows.map(({ draft }) => ({ draft, error })));
    }
  }
  if (lost.size > 0) merged.entries = merged.entries.filter((entry) => !lost.has(entry));
}

/** Asks for the price column where no dry run does; undefined for no question. */
function priceQuestion({ priceColumns }: RecognisedLayout): string | undefined {
  if (!priceColumns) return undefined;
  const named = priceColumns.map(({ header, reason }) => quoted(header) + (reason ? ` (${reason})` : ""));
  return `Which column is the price? The file has ${named.join(", ")}. Name it in the field column-price, or “-” for none`;
}

/** Asks for an uncertain encoding where no dry run has shown its texts; undefined for no question. */
function encodingQuestion({ encoding, samples, rivals }: SheetReading): string | undefined {
  if (!encoding || rivals.length === 0) return undefined;
  const readings = [{ encoding, samples }, ...rivals];
  const texts = readings.map(
    (each) => `${each.samples.map(quoted).join(", ")} as ${ENCODING_NAMES[each.encoding]}`,
  );
  const names = readings.map((each) => each.encoding).join(", ");
  return `Which encoding has the text? It reads ${texts.join("; ")}. Name it in the field encoding: ${names}`;
}

/**
 * Replaces the images of all rows, with one lookup, by those to store, and rejects rows with images that the server has
 * not issued.
 */
async function withImages(
  rows: ReadRow[],
  claim: (entries: Set<string>) => Promise<Map<string, string>>,
): Promise<ReadRow[]> {
  const claims = await claim(new Set(rows.flatMap((row) => ("values" in row && row.values.imageUrls) || [])));
  return rows.map((row) => {
    if (!("values" in row) || !row.values.imageUrls) return withoutUnitImages(row);
    const { imageUrls } = row.values;
    const unknown = imageUrls.find((entry) => !claims.has(entry));
    if (unknown !== undefined)
      return { draft: row.draft, error: `Images: ${quoted(unknown)}. ${NO_SUCH_IMAGE}` };
    const claimed = imageUrls.map((entry) => claims.get(entry) ?? entry);
    const units = row.values.units && {
      ...row.values.units,
      units: row.values.units.units.map((unit) => ({
        ...unit,
        image: unit.image && (claims.get(unit.image) ?? null),
      })),
    };
    return { ...row, values: { ...row.values, imageUrls: claimed, units } };
  });
}

/** Leaves the pictures of units where the file names none of the product. */
function withoutUnitImages(row: ReadRow): ReadRow {
  if (!("values" in row) || !row.values.units) return row;
  const units = row.values.units.units.map((unit) => ({ ...unit, image: null }));
  return { ...row, values: { ...row.values, units: { ...row.values.units, units } } };
}

/** Updates the keys of stored products with names of the file, where an earlier version has written them. */
async function updateNameKeys(db: Db, rows: ReadRow[]): Promise<void> {
  const names = [...new Set(rows.flatMap((row) => ("values" in row ? row.values.key : [])))];
  for (let from = 0; from < names.length; from += NAMES_PER_QUERY) {
    const keys = new Set(names.slice(from, from + NAMES_PER_QUERY));
    const outdated = (await findOutdatedKeys(db, [...keys])).flatMap(({ id, name }) => {
      const nameKey = identityKey(name);
      return keys.has(nameKey) ? [{ id, name, nameKey, sortKey: sortKey(name) }] : [];
    });
    if (outdated.length > 0) await storeNameKeys(db, outdated);
  }
}

/** Counts the stored products of each name that the file has more than once. */
async function countStoredOfRepeatedNames(db: Db, rows: ReadRow[]): Promise<Map<string, number>> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const row of rows) {
    if (!("values" in row) || row.draft.key) continue;
    if (seen.has(row.values.key)) repeated.add(row.values.key);
    seen.add(row.values.key);
  }
  const names = [...repeated];
  const counts = new Map<string, number>();
  for (let from = 0; from < names.length; from += NAMES_PER_QUERY)
    for (const [key, count] of await countByNames(db, names.slice(from, from + NAMES_PER_QUERY)))
      counts.set(key, count);
  return counts;
}

/** Key of the saved categories among the mappings; they hold for every file. */
const CATEGORIES_KEY = "kinds";

/** Key of the saved columns of files with these headers; a file of rejected rows counts as the file it comes from. */
function headersHash(headers: string[]): Promise<string> {
  return sha256(JSON.stringify(headers.filter((header) => !isErrorColumn(header))));
}

/** Numbers the columns, skipping the error column. */
function columnNumbers(headers: string[]): (number | null)[] {
  let number = 0;
  return headers.map((header) => (isErrorColumn(header) ? null : number++));
}

/**
 * Finds the choices saved for files with these headers, for what the request leaves open.
 *
 * @returns null where there is nothing to add
 */
async function savedChoices(
  db: Db,
  headers: string[],
  requested: MappingChoices | null,
): Promise<MappingChoices | null> {
  if (requested && (requested.columns || Object.keys(requested.names).length > 0)) return null;
  const [fields, categories] = await Promise.all([
    findMapping(db, await headersHash(headers)),
    findMapping(db, CATEGORIES_KEY),
  ]);
  if (!fields && !categories) return null;
  const columns =
    fields && columnNumbers(headers).map((number) => (number === null ? null : (fields[number] ?? null)));
  return {
    ...NO_CHOICES,
    ...requested,
    columns: columns as Mapping | null,
    ...(!requested && { categories: (categories ?? {}) as MappingChoices["categories"] }),
  };
}

/** Saves the chosen columns for files of the same headers, and the chosen categories for every file. */
export async function saveChoices(
  { db, now }: Pick<RequestContext, "db" | "now">,
  { sheet: { headers }, recognised: { mapping } }: Prepared,
  { columns, names, categories }: MappingChoices,
): Promise<void> {
  if (columns || Object.keys(names).length > 0) {
    const fields = columnNumbers(headers).flatMap((number, at) => {
      const field = mapping[at];
      return number !== null && field ? [[String(number), field]] : [];
    });
    await saveMapping(db, await headersHash(headers), Object.fromEntries(fields), now);
  }
  // The choice for products without a category concerns this file alone.
  const { "": _, ...named } = categories;
  if (Object.keys(named).length === 0) return;
  const saved = await findMapping(db, CATEGORIES_KEY);
  await saveMapping(db, CATEGORIES_KEY, { ...saved, ...named }, now);
}
