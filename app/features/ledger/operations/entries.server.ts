import type { ZodType } from "zod";
import { foldText } from "~/db/text";
import { decimalDollars } from "~/domain/money";
import { editConflict } from "~/http/edit-conflict.server";
import { AppError, validationError } from "~/http/errors";
import { Listing, operation, type StaffContext } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { jsonList } from "~/http/streams.server";
import { isDay, type ListParams } from "~/ui/DataTable/list-params";
import { type DateInput, resolveDate } from "../days";
import {
  type Content,
  findEntry,
  insertEntry,
  removeEntry,
  restoreEntry,
  updateEntry,
} from "../queries/entries.queries.server";
import type { EntryTable } from "../queries/tables.server";
import { EntryInput } from "../schema";
import { explainRefusal } from "./issued.server";
import { CHUNK_ROWS, listQuery, readAll, readPage, readWindow } from "./listing.server";

/** Invoices or expenses: their table, presentation and input. */
interface EntryKind<Row, View> {
  table: EntryTable;
  title: "Invoice" | "Expense";
  schemas: {
    list: ZodType<ListWindow>;
    add: ZodType<NewEntry>;
    /** Partial update. */
    changes: ZodType<EditInput>;
    /** All fields, with the values that the form opened with. */
    form: ZodType<EditInput>;
  };
  view(row: Row): View;
  /** Formatted values by column, for edit conflicts. */
  labels(row: Row): Record<string, string>;
}

type Fields = Record<string, unknown> & { createdAt?: DateInput | undefined; amount?: number | undefined };

type NewEntry = Fields & { id?: string | undefined };

interface EditInput extends Fields {
  id: string;
  version?: number | null | undefined;
  /** Values that the form opened with. */
  was?: Fields | undefined;
}

type ListWindow = Parameters<typeof listQuery>[1] & { limit?: number | undefined; offset: number };

/** Creates the operations of one kind of entry, for the API and its screen. */
export function entryOperations<Row extends { version: number }, View>(kind: EntryKind<Row, View>) {
  const { table, schemas } = kind;
  const access = "staff";
  return {
    list: operation({
      access,
      input: schemas.list,
      run: ({ input, ...context }) => listEntries(kind, context, input),
    }),
    add: operation({
      access,
      input: schemas.add,
      status: 201,
      run: ({ input, ...context }) => add(kind, context, input),
    }),
    update: operation({
      access,
      input: schemas.changes,
      run: ({ input, ...context }) => update(kind, context, input),
    }),
    updateByForm: operation({
      access,
      input: schemas.form,
      run: ({ input, ...context }) => update(kind, context, input),
    }),
    delete: operation({
      access,
      input: EntryInput,
      run: ({ input, ...context }) => remove(kind, context, input.id),
    }),
    restore: operation({
      access,
      input: EntryInput,
      run: ({ input, ...context }) => restore(kind, context, input.id),
    }),
    ...entryReads<Row>(table),
  };
}

function entryReads<Row>(table: EntryTable) {
  return {
    readPage: ({ db, settings }: StaffContext, params: ListParams) =>
      readPage<Row>(db, table, params, settings.timezone),
    /** Reads the entry of a dialog; null when it does not exist. */
    readRow: async ({ db }: StaffContext, id: string): Promise<Row | null> =>
      (await findEntry<Row>(db, table, id)) ?? null,
  };
}

/** Converts input to stored fields and leaves out undefined ones. */
function storedFields({ createdAt, amount, ...fields }: Fields, context: RequestContext): Content {
  const date = createdAt && resolveDate(createdAt, context.now, context.settings.timezone);
  // The day of an instant depends on the shop's time zone, which the schema does not know.
  if (date && !isDay(date.day))
    throw validationError([{ path: "createdAt", message: "Must be a date from 2000 to 2099" }]);
  const { description, taxAmount, ...rest } = fields;
  const all = {
    ...rest,
    description,
    taxCents: taxAmount,
    amountCents: amount,
    ...date,
    descriptionKey: typeof description === "string" ? foldText(description) : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Content;
}

const notFound = (title: string) => new AppError("notFound", `${title} not found`);

/**
 * Stores a new entry. Repeating a request with the same id and fields returns the stored entry.
 *
 * @throws AppError conflict when the id names another entry or a deleted one
 */
async function add<Row extends { version: number }, View>(
  { table, title, view }: EntryKind<Row, View>,
  context: RequestContext,
  { id = crypto.randomUUID(), ...fields }: NewEntry,
): Promise<View> {
  const content = storedFields({ ...fields, createdAt: fields.createdAt ?? { at: context.now } }, context);
  const { entry, isNew } = await insertEntry<Row>(context.db, table, id, content, context.now);
  if (!entry) throw new AppError("conflict", `This ${table.kind} was deleted.`);
  if (isNew) return view(entry);
  const sent = comparableFields(fields.createdAt, content);
  const stored = entry as Record<string, unknown>;
  const differs = Object.keys(sent).some((name) => sent[name] !== stored[name]);
  // An edited entry no longer equals the request; since ids are random, it is the same entry.
  if (differs && entry.version === 1) throw new AppError("conflict", `${title} with this id exists already.`);
  return view(entry);
}

/** Returns the fields that the client sent, without derived ones. */
function comparableFields(createdAt: DateInput | undefined, content: Content): Content {
  const { descriptionKey: _, createdAt: at, day, ...rest } = content;
  if (!createdAt || at === undefined || day === undefined) return rest;
  return "day" in createdAt ? { ...rest, day } : { ...rest, createdAt: at };
}

/**
 * Updates an entry. A version makes it fail when somebody else has edited the entry since.
 *
 * @throws AppError notFound, conflict with a detail for each field that somebody else changed differently, or for the line
 * of an issued document
 */
async function update<Row extends { version: number }, View>(
  kind: EntryKind<Row, View>,
  context: RequestContext,
  { id, version = null, was, ...fields }: EditInput,
): Promise<View> {
  const content = storedFields(fields, context);
  const keepsTime = fields.createdAt !== undefined && "day" in fields.createdAt;
  const edit = { id, version, content, keepsTime };
  const { entry, isWritten } = await updateEntry<Row>(context.db, kind.table, edit, context.now).catch(
    (error) => explainRefusal(context, kind.table, id, error),
  );
  if (!entry) throw notFound(kind.title);
  if (isWritten) return kind.view(entry);
  const conflicts = conflictingFields(kind, entry, content, was ? storedFields(was, context) : {});
  if (conflicts.length > 0) throw editConflict(`this ${kind.table.kind}`, conflicts);
  // The other edit changed other fields or to the same values, so nothing is overwritten.
  return update(kind, context, { ...fields, id, was, version: entry.version });
}

/** Form fields of columns with another name. */
const FORM_FIELDS: Record<string, string> = {
  amountCents: "amount",
  taxCents: "taxAmount",
  day: "createdAt",
};

/** Returns the fields that somebody else changed to a value other than the requested one. */
function conflictingFields<Row, View>(
  { table, labels }: EntryKind<Row, View>,
  entry: Row,
  content: Content,
  was: Content,
) {
  const stored = entry as Content;
  const texts = labels(entry);
  const isConflict = (name: string) => content[name] !== stored[name] && was[name] !== stored[name];
  return Object.keys(table.columns)
    .filter((name) => name !== "createdAt" && content[name] !== undefined && isConflict(name))
    .map((name) => ({
      path: FORM_FIELDS[name] ?? name,
      displayedValue: texts[name] ?? "",
      formValue: name.endsWith("Cents") ? decimalDollars(Number(stored[name])) : String(stored[name]),
      isEditedHere: content[name] !== was[name],
    }));
}

/** Deletes an entry, which can be restored until it is purged. @throws AppError notFound; conflict for an issued document */
async function remove<Row, View>(kind: EntryKind<Row, View>, { db, now }: RequestContext, id: string) {
  const row = await removeEntry<Row>(db, kind.table, id, now).catch((error) =>
    explainRefusal({ db }, kind.table, id, error),
  );
  if (!row) throw notFound(kind.title);
  return { message: `${kind.title} deleted successfully`, deleted: kind.view(row) };
}

/** Restores a deleted entry. @throws AppError notFound when it was purged */
async function restore<Row, View>(
  kind: EntryKind<Row, View>,
  { db }: RequestContext,
  id: string,
): Promise<View> {
  const row = await restoreEntry<Row>(db, kind.table, id);
  if (!row) throw notFound(kind.title);
  return kind.view(row);
}

/** Lists entries for the API: a window, or all of them, streamed when there are many. */
async function listEntries<Row, View>(
  { table, view }: EntryKind<Row, View>,
  { db, settings }: RequestContext,
  { limit, offset, ...request }: ListWindow,
): Promise<Listing<View> | Response> {
  const query = listQuery(table, request, settings.timezone);
  const { rows, sums } = await readWindow<Row>(db, table, query, limit ?? CHUNK_ROWS, () => offset);
  const total = sums.entries;
  if (limit !== undefined || total - offset <= CHUNK_ROWS) return new Listing(rows.map(view), total);
  const views = async function* () {
    for await (const chunk of readAll<Row>(db, table, query, offset)) yield chunk.map(view);
  };
  return jsonList(total, views());
}
