import { editConflict } from "~/http/edit-conflict.server";
import { AppError, validationError } from "~/http/errors";
import { Listing } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { asJsonArray, streamedResponse } from "~/http/streams.server";
import { bookedAt, type DateInput, isDay } from "../days";
import {
  type Content,
  insertEntry,
  removeEntry,
  restoreEntry,
  updateEntry,
} from "../queries/entries.queries.server";
import type { EntryTable } from "../queries/tables.server";
import { CHUNK, queryOf, readAll, readWindow, searchKey } from "./listing.server";

/** What both books do, whatever their entries say. */

/** A book with how its entries are named and told. */
export interface EntryKind<Row, View> {
  book: EntryTable;
  /** Invoice or Expense. */
  title: string;
  view(row: Row): View;
  /** Its values in words, by the book's columns, for people who edit the same entry. */
  said(row: Row): Record<string, string>;
}

type Fields = Record<string, unknown> & { createdAt?: DateInput | undefined; amount?: number | undefined };

/** Fields as they are stored; what is undefined is left out. */
function contentOf({ createdAt, amount, ...fields }: Fields, context: RequestContext): Content {
  const booked = createdAt && bookedAt(createdAt, context.now, context.settings.timezone);
  // Which day an instant is depends on the shop's time zone, which no schema knows.
  if (booked && !isDay(booked.day))
    throw validationError([{ path: "createdAt", message: "Must be a date from 2000 to 2099" }]);
  const { description } = fields;
  const all = {
    ...fields,
    amountCents: amount,
    ...booked,
    descriptionKey: typeof description === "string" ? searchKey(description) : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Content;
}

const missing = (title: string) => new AppError("notFound", `${title} not found`);

/**
 * Stores a new entry. The same id with the same content is answered as the first time (budgets: Never loses).
 *
 * @throws AppError conflict when the id names another entry or a deleted one
 */
export async function add<Row extends { version: number }, View>(
  { book, title, view }: EntryKind<Row, View>,
  context: RequestContext,
  { id = crypto.randomUUID(), ...fields }: Fields & { id?: string | undefined },
): Promise<View> {
  const content = contentOf({ ...fields, createdAt: fields.createdAt ?? { at: context.now } }, context);
  const { entry, isNew } = await insertEntry<Row>(context.db, book, id, content, context.now);
  if (!entry) throw new AppError("conflict", `This ${book.kind} was deleted.`);
  if (isNew) return view(entry);
  const told = comparable(fields.createdAt, content);
  const stored = entry as Record<string, unknown>;
  const isOther = Object.keys(told).some((as) => told[as] !== stored[as]);
  // Edited since, it can't be compared any more; ids are random, so it is the same one.
  if (isOther && entry.version === 1) throw new AppError("conflict", `${title} with this id exists already.`);
  return view(entry);
}

/** What a sender said by itself: not the moment at which it came in, nor how it is searched. */
function comparable(createdAt: DateInput | undefined, content: Content): Content {
  const { descriptionKey: _, createdAt: at, day, ...rest } = content;
  if (!createdAt || at === undefined || day === undefined) return rest;
  return "day" in createdAt ? { ...rest, day } : { ...rest, createdAt: at };
}

interface Edited extends Fields {
  id: string;
  version?: number | null | undefined;
  /** What its form showed, by which another's changes are told from one's own. */
  was?: Fields | undefined;
}

/**
 * Writes an edit. With a version, only over that one: of two people the second is told what stands there now.
 *
 * @throws AppError notFound, conflict with a detail for each field that somebody else has changed to something else
 */
export async function update<Row extends { version: number }, View>(
  told: EntryKind<Row, View>,
  context: RequestContext,
  { id, version = null, was, ...fields }: Edited,
): Promise<View> {
  const content = contentOf(fields, context);
  const keepsTime = fields.createdAt !== undefined && "day" in fields.createdAt;
  const edit = { id, version, content, keepsTime };
  const { entry, isWritten } = await updateEntry<Row>(context.db, told.book, edit, context.now);
  if (!entry) throw missing(told.title);
  if (isWritten) return told.view(entry);
  const theirs = differences(told, entry, content, was ? contentOf(was, context) : {});
  if (theirs.length > 0) throw editConflict(`this ${told.book.kind}`, theirs);
  // What the other one has changed is what this one asks for, or isn't in the form: nothing is overwritten.
  return update(told, context, { ...fields, id, was, version: entry.version });
}

/** What columns are called in forms. */
const FORM_FIELDS: Record<string, string> = { amountCents: "amount", day: "createdAt" };

/** The fields that somebody else has changed to something else than what is asked for. */
function differences<Row, View>(
  { book, said }: EntryKind<Row, View>,
  entry: Row,
  content: Content,
  was: Content,
) {
  const stored = entry as Content;
  const words = said(entry);
  const isTheirs = (as: string) => content[as] !== stored[as] && was[as] !== stored[as];
  return Object.keys(book.columns)
    .filter((as) => as !== "createdAt" && content[as] !== undefined && isTheirs(as))
    .map((as) => ({
      path: FORM_FIELDS[as] ?? as,
      now: words[as] ?? "",
      value: as === "amountCents" ? (Number(stored[as]) / 100).toFixed(2) : String(stored[as]),
      isBoth: content[as] !== was[as],
    }));
}

/**
 * Deletes an entry; until the night it can be put back.
 *
 * @throws AppError notFound
 */
export async function remove<Row, View>(told: EntryKind<Row, View>, { db, now }: RequestContext, id: string) {
  const row = await removeEntry<Row>(db, told.book, id, now);
  if (!row) throw missing(told.title);
  return { message: `${told.title} deleted successfully`, deleted: told.view(row) };
}

/**
 * Puts a deleted entry back.
 *
 * @throws AppError notFound when it is gone for good
 */
export async function restore<Row, View>(
  told: EntryKind<Row, View>,
  { db }: RequestContext,
  id: string,
): Promise<View> {
  const row = await restoreEntry<Row>(db, told.book, id);
  if (!row) throw missing(told.title);
  return told.view(row);
}

/** A list for the API: a window, or everything, which is streamed when it is long. */
export async function listFor<Row, View>(
  { book, view }: EntryKind<Row, View>,
  { db, settings }: RequestContext,
  { limit, offset, ...asked }: Parameters<typeof queryOf>[1] & { limit?: number | undefined; offset: number },
): Promise<Listing<View> | Response> {
  const query = queryOf(book, asked, settings.timezone);
  const { rows, sums } = await readWindow<Row>(db, book, query, limit ?? CHUNK, () => offset);
  const total = sums.entries;
  if (limit !== undefined || total - offset <= CHUNK) return new Listing(rows.map(view), total);
  const all = async function* () {
    for await (const chunk of readAll<Row>(db, book, query, offset)) yield chunk.map(view);
  };
  return new Response(streamedResponse(asJsonArray(all())), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Total-Count": String(total),
    },
  });
}
