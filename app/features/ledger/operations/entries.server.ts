import { type ZodType, z } from "zod";
import { CHUNK_ROWS } from "~/db/lists";
import { foldText } from "~/db/text";
import { isDay, UNSUPPORTED_DATE } from "~/domain/calendar-day";
import { type DateInput, resolveDate } from "~/domain/days";
import { dollars } from "~/domain/money";
import type { PlannedFile } from "~/features/storage/attachments.server";
import { MessageAnswer } from "~/http/answers";
import { editConflict } from "~/http/edit-conflict.server";
import { AppError, validationError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { type ApiCall, Listing, operation, type StaffContext } from "~/http/operation.server";
import { repeatedAnswer } from "~/http/repeated-request.server";
import type { RequestContext } from "~/http/request-context.server";
import { jsonList } from "~/http/streams.server";
import type { DeclaredRecord, Fields } from "~/records/record";
import type { ListParams } from "~/ui/DataTable/list-params";
import {
  type Content,
  findEntry,
  foldedName,
  insertEntry,
  removeEntry,
  restoreEntry,
  updateEntry,
} from "../queries/entries.server";
import type { EntryTable } from "../queries/tables.server";
import { EntryInput } from "../schema";
import type { Entry, EntryView } from "../views";
import { refuseFarDate } from "./far-dates.server";
import { explainRefusal } from "./issued.server";
import { listQuery, readAll, readEntries, readPage } from "./listing.server";

/** Invoices or expenses: their fields, table and input. */
interface EntryKind<F extends Fields> {
  record: DeclaredRecord<F>;
  table: EntryTable;
  title: "Invoice" | "Expense";
  /** First segment of its routes in the API, one and all of them in words, and the schema of its answer. */
  api: { path: string; one: string; all: string; answer: ZodType };
  schemas: {
    list: ZodType<ListWindow>;
    add: ZodType<NewEntry>;
    addForm: ZodType<NewEntry>;
    /** Partial update. */
    changes: ZodType<EditInput>;
    /** All fields, with the values that the form opened with. */
    form: ZodType<EditInput>;
  };
  /** Attaches the files that a form sends; without it forms have none. */
  upload?: Upload;
}

interface Upload {
  /** Largest form in bytes. */
  maxBytes: number;
  /** Checks files before the entry is stored. */
  plan(context: RequestContext, files: File[]): Promise<PlannedFile[]>;
  attach(context: RequestContext, id: string, planned: PlannedFile[]): Promise<unknown>;
}

type Values = Record<string, unknown> & { createdAt?: DateInput | undefined };

type NewEntry = Values & { id?: string | undefined; files?: File[] };

interface EditInput extends Values {
  id: string;
  version?: number | null | undefined;
  /** Values that the form opened with. */
  was?: Values | undefined;
  files?: File[];
}

type ListWindow = Parameters<typeof listQuery>[1] & { limit?: number | undefined; offset: number };

/** Describes the routes of one kind of entry. */
function callsOf({ path, one, all, answer }: EntryKind<Fields>["api"]) {
  const deleted = MessageAnswer.extend({ deleted: answer });
  return {
    list: { route: `GET ${path}/all`, summary: `List ${all}`, answer: z.array(answer), isList: true },
    add: { route: `POST ${path}`, summary: `Add ${one}`, answer, errors: [409] },
    update: { route: `PUT ${path}/:id`, summary: `Change ${one}`, answer, errors: [404, 409] },
    delete: { route: `DELETE ${path}/:id`, summary: `Delete ${one}`, answer: deleted, errors: [404, 409] },
  } as const satisfies Record<string, ApiCall>;
}

/** Creates the operations of one kind of entry, for the API and its screen. */
export function entryOperations<F extends Fields>(kind: EntryKind<F>) {
  const { table, schemas } = kind;
  const calls = callsOf(kind.api);
  const access = "manager";
  const adding = {
    access,
    run: ({ input: { files, ...input }, ...context }: StaffContext & { input: NewEntry }) =>
      withFiles(kind, context, files, () => add(kind, context, input)),
  } as const;
  const editing = {
    access,
    run: ({ input: { files, ...input }, ...context }: StaffContext & { input: EditInput }) =>
      withFiles(kind, context, files, () => update(kind, context, input as EditInput)),
  } as const;
  const form = kind.upload ? ({ accepts: "multipart", maxBytes: kind.upload.maxBytes } as const) : {};
  return {
    list: operation({
      ...calls.list,
      access,
      input: schemas.list,
      run: ({ input, ...context }) => listEntries(kind, context, input),
    }),
    add: operation({ ...calls.add, access, input: schemas.add, status: 201, run: addByApi(kind) }),
    addByForm: operation({ input: schemas.addForm, ...form, ...adding }),
    update: operation({ ...calls.update, access, input: schemas.changes, run: updateByApi(kind) }),
    updateByForm: operation({ input: schemas.form, ...form, ...editing }),
    delete: operation({
      ...calls.delete,
      access,
      input: EntryInput,
      run: ({ input, ...context }) => remove(kind, context, input.id),
    }),
    restore: operation({
      access,
      input: EntryInput,
      run: ({ input, ...context }) => restore(kind, context, input.id),
    }),
    ...entryReads<F>(table),
  };
}

/** Returns what adds an entry of the API, which nobody asks about its date. */
const addByApi =
  <F extends Fields>(kind: EntryKind<F>) =>
  async ({ input, ...context }: StaffContext & { input: NewEntry }) => {
    await refuseFarDate(context, input.createdAt);
    return add(kind, context, input);
  };

/** Returns what changes an entry by the API; it may keep its date. */
const updateByApi =
  <F extends Fields>(kind: EntryKind<F>) =>
  async ({ input, ...context }: StaffContext & { input: EditInput }) => {
    const findKept = async () => (await findEntry<{ day: string }>(context.db, kind.table, input.id))?.day;
    await refuseFarDate(context, input.createdAt, findKept);
    return update(kind, context, input);
  };

/** Stores an entry with its files, which are checked before. A repeated request attaches what is missing. */
async function withFiles<F extends Fields>(
  { upload }: EntryKind<F>,
  context: RequestContext,
  files: File[] = [],
  store: () => Promise<EntryView<F>>,
): Promise<EntryView<F>> {
  const planned = (await upload?.plan(context, files)) ?? [];
  const stored = await store();
  if (planned.length > 0) await upload?.attach(context, stored.id, planned);
  return stored;
}

function entryReads<F extends Fields>(table: EntryTable) {
  return {
    readPage: (context: StaffContext, params: ListParams) => readPage<Entry<F>>(context, table, params),
    /** Reads the entry of a dialog; null when it does not exist. */
    readRow: async ({ db }: StaffContext, id: string): Promise<Entry<F> | null> =>
      (await findEntry<Entry<F>>(db, table, id)) ?? null,
  };
}

/** Returns an entry as the API answers it. */
const viewOf = <F extends Fields>(record: DeclaredRecord<F>, row: Entry<F>): EntryView<F> => ({
  id: row.id,
  ...record.apiValues(row),
  createdAt: timestamp(row.createdAt),
  ...(row.files && { files: row.files }),
});

/** Converts input to stored fields and leaves out undefined ones. */
function storedFields<F extends Fields>(
  { record, table }: EntryKind<F>,
  { createdAt, ...values }: Values,
  context: RequestContext,
): Content {
  const date = createdAt && resolveDate(createdAt, context.now, context.settings.timezone);
  // The day of an instant depends on the shop's time zone, which the schema does not know.
  if (date && !isDay(date.day)) throw validationError([{ path: "createdAt", message: UNSUPPORTED_DATE }]);
  const folded = Object.keys(table.folded).flatMap((name) => {
    const text = values[name];
    return typeof text === "string" ? [[foldedName(name), foldText(text)]] : [];
  });
  return { ...record.stored(values), ...date, ...Object.fromEntries(folded) } as Content;
}

const notFound = (title: string) => new AppError("notFound", `${title} not found`);

/**
 * Stores a new entry. Repeating a request with the same id and fields returns the stored entry.
 *
 * @throws AppError conflict when the id names another entry or a deleted one
 */
async function add<F extends Fields>(
  kind: EntryKind<F>,
  context: RequestContext,
  { id = crypto.randomUUID(), ...fields }: NewEntry,
): Promise<EntryView<F>> {
  const { record, table, title } = kind;
  const createdAt = fields.createdAt ?? { at: context.now };
  const content = storedFields(kind, { ...fields, createdAt }, context);
  const { entry, isNew } = await insertEntry<Entry<F>>(context.db, table, id, content, context.now);
  if (!entry) throw new AppError("conflict", `This ${table.kind} was deleted.`);
  if (isNew) return viewOf(record, entry);
  // An edited entry no longer equals the request; since ids are random, it is the same entry.
  const sent = entry.version === 1 ? comparableFields(record.fields, fields.createdAt, content) : {};
  return viewOf(
    record,
    repeatedAnswer(entry, sent as Partial<Entry<F>>, `${title} with this id exists already.`),
  );
}

/** Returns the fields that the client sent, without derived ones. */
function comparableFields(fields: Fields, createdAt: DateInput | undefined, content: Content): Content {
  const { createdAt: at, day } = content;
  const { day: _, ...rest } = Object.fromEntries(Object.entries(content).filter(([name]) => name in fields));
  if (!createdAt || at === undefined || day === undefined) return rest;
  return "day" in createdAt ? { ...rest, day } : { ...rest, createdAt: at };
}

/**
 * Updates an entry. A version makes it fail when somebody else has edited the entry since.
 *
 * @throws AppError notFound; invalid for a tax above the amount; conflict with a detail for each field that somebody else
 * changed differently, or for the line of an issued document
 */
async function update<F extends Fields>(
  kind: EntryKind<F>,
  context: RequestContext,
  { id, version = null, was, ...fields }: EditInput,
): Promise<EntryView<F>> {
  const content = storedFields(kind, fields, context);
  const keepsTime = fields.createdAt !== undefined && "day" in fields.createdAt;
  const edit = { id, version, content, keepsTime };
  const { entry, isWritten } = await updateEntry<Entry<F>>(context.db, kind.table, edit, context.now).catch(
    (error) => explainRefusal(context, kind.table, id, error),
  );
  if (!entry) throw notFound(kind.title);
  if (isWritten) return viewOf(kind.record, entry);
  if (version === null || version === entry.version) rejectTaxAbove({ ...entry, ...content }, fields);
  const conflicts = conflictingFields(kind, entry, content, was ? storedFields(kind, was, context) : {});
  if (conflicts.length > 0) throw editConflict(`this ${kind.table.kind}`, conflicts);
  // The other edit changed other fields or to the same values, so nothing is overwritten.
  return update(kind, context, { ...fields, id, was, version: entry.version });
}

/** Rejects an edit whose tax does not fit into the amount, at the field that it sends. @throws AppError invalid */
function rejectTaxAbove({ amountCents, taxCents = 0 }: Record<string, unknown>, sent: Values): void {
  const [amount, tax] = [Number(amountCents), Number(taxCents)];
  if (tax === 0 || tax <= amount) return;
  const problem =
    sent.taxAmount === undefined
      ? { path: "amount", message: `Must be at least the tax, ${dollars(tax)}` }
      : { path: "taxAmount", message: "The tax can't be more than the amount" };
  throw validationError([problem]);
}

/** Returns the fields that somebody else changed to a value other than the requested one. */
function conflictingFields<F extends Fields>(
  { record }: EntryKind<F>,
  entry: Entry<F>,
  content: Content,
  was: Content,
) {
  const stored: Record<string, unknown> = entry;
  return record.columns
    .filter(({ column }) => content[column] !== undefined)
    .filter(({ column }) => content[column] !== stored[column] && was[column] !== stored[column])
    .map(({ column, name, field }) => ({
      path: name,
      displayedValue: field.toText(stored[column]),
      formValue: field.toForm(stored[column]),
      isEditedHere: content[column] !== was[column],
    }));
}

/** Deletes an entry, which can be restored until it is purged. @throws AppError notFound; conflict for an issued document */
async function remove<F extends Fields>(kind: EntryKind<F>, { db, now }: RequestContext, id: string) {
  const row = await removeEntry<Entry<F>>(db, kind.table, id, now).catch((error) =>
    explainRefusal({ db }, kind.table, id, error),
  );
  if (!row) throw notFound(kind.title);
  return { message: `${kind.title} deleted successfully`, deleted: viewOf(kind.record, row) };
}

/** Restores a deleted entry. @throws AppError notFound when it was purged */
async function restore<F extends Fields>(
  kind: EntryKind<F>,
  { db }: RequestContext,
  id: string,
): Promise<EntryView<F>> {
  const row = await restoreEntry<Entry<F>>(db, kind.table, id);
  if (!row) throw notFound(kind.title);
  return viewOf(kind.record, row);
}

/** Lists entries for the API: a window, or all of them, streamed when there are many. */
async function listEntries<F extends Fields>(
  { record, table }: EntryKind<F>,
  { db, settings }: RequestContext,
  { limit, offset, ...request }: ListWindow,
): Promise<Listing<EntryView<F>> | Response> {
  const view = (row: Entry<F>) => viewOf(record, row);
  const query = listQuery(table, request, settings.timezone);
  const window = { limit: limit ?? CHUNK_ROWS, offset };
  const { rows, total } = await readEntries<Entry<F>>(db, table, query, window);
  if (limit !== undefined || total - offset <= CHUNK_ROWS) return new Listing(rows.map(view), total);
  const views = async function* () {
    for await (const chunk of readAll<Entry<F>>(db, table, query, offset)) yield chunk.map(view);
  };
  return jsonList(total, views());
}
