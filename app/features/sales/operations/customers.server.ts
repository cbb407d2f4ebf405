import { z } from "zod";
import type { Db } from "~/db/client.server";
import { readListWindow } from "~/db/lists";
import { foldForSearch, sortKey } from "~/db/text";
import { NEW_CUSTOMER } from "~/features/chat/limits";
import { chatNotFound, staffNameOf } from "~/features/chat/operations/access.server";
import { AppError } from "~/http/errors";
import { emailKey, timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { writeOrExplain } from "~/http/refused-write.server";
import { repeatedAnswer, requestKey } from "~/http/repeated-request.server";
import { readList } from "~/http/streams.server";
import { formatDate } from "~/ui/format";
import { Customer, Timeline } from "../answers";
import { MAX_NOTES_LENGTH } from "../customer";
import { customerReads } from "../queries/customer-list.server";
import { countTimeline, findTimeline, type TimelineRow } from "../queries/customer-page.server";
import {
  CUSTOMER_COLUMNS,
  type CustomerRow,
  findCustomer,
  findPlannedDeletion,
  insertCustomer,
  isErased,
  joinsNotes,
  linkChatToCustomer,
  mergeCustomers,
  type StoredCustomer,
  updateCustomer,
} from "../queries/customers.server";
import {
  CustomerChanges,
  CustomerInput,
  CustomerLink,
  CustomerListInput,
  CustomerMerge,
  PathId,
  TimelineInput,
} from "../schema";

const customerNotFound = () => new AppError("notFound", "Customer not found");
function apiCustomer(customer: CustomerRow & Partial<StoredCustomer>) {
  const { requestHash: _, hasAccount: _account, totalCents, lastSeen, createdAt, ...fields } = customer;
  return {
    ...fields,
    total: totalCents / 100,
    lastSeen: timestamp(lastSeen),
    createdAt: timestamp(createdAt),
  };
}

/** Lists customers, last seen first. */
export const readCustomers = operation({
  route: "GET customer",
  summary: "List customers",
  answer: z.array(Customer),
  isList: true,
  access: "staff",
  input: CustomerListInput,
  run({ db, input: { q, limit, offset } }) {
    const reads = customerReads<CustomerRow>(db, { q, sort: "lastSeen" }, CUSTOMER_COLUMNS);
    return readList(
      async (window) => {
        const { rows, total } = await readListWindow(reads, { ...window, dir: "desc" });
        return { rows: rows.map(apiCustomer), total };
      },
      { limit, offset },
    );
  },
});

/** Reads a customer. @throws AppError notFound */
export const readCustomer = operation({
  route: "GET customer/:id",
  summary: "Read a customer",
  answer: Customer,
  access: "staff",
  input: PathId,
  run: async ({ db, input }) => apiCustomer(await requireCustomer(db, input.id)),
});

async function requireCustomer(db: Db, id: string): Promise<StoredCustomer> {
  const customer = await findCustomer(db, id);
  if (!customer) throw customerNotFound();
  return customer;
}

/** Refuses to give a customer data again after they were deleted. @throws AppError conflict */
export function rejectErased(customer: Parameters<typeof isErased>[0]): void {
  if (isErased(customer)) throw new AppError("conflict", "The data of this customer were deleted.");
}

/** Finds a customer who may be changed. @throws AppError notFound; conflict for one whose data were deleted */
export async function requireChangeable(db: Db, id: string): Promise<StoredCustomer> {
  const customer = await requireCustomer(db, id);
  rejectErased(customer);
  return customer;
}

/** Awaits two reads that are sent in one round trip. @throws the error of the first one, else of the second */
async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  second.catch(() => undefined);
  return [await first, await second];
}

const nameKeys = (name: string) => ({ nameKey: foldForSearch(name), sortKey: sortKey(name) });

/**
 * Adds a customer, perhaps that of a chat. Repeating a request with its id returns the same customer, and leaves the chat
 * where it is linked by now.
 *
 * @throws AppError conflict when the id belongs to another customer or a deleted one
 */
export const addCustomer = operation({
  route: "POST customer",
  summary: "Add a customer",
  answer: Customer,
  errors: [404, 409],
  access: "staff",
  input: CustomerInput,
  status: 201,
  async run({ input, ...context }) {
    const { db, now } = context;
    const { id: sentId, chatId, ...fields } = input;
    const { requestId: id, requestHash } = await requestKey(sentId, { ...fields, chatId });
    const keys = { ...nameKeys(fields.name), emailKey: fields.email && emailKey(fields.email) };
    const times = { lastSeen: now, createdAt: now, updatedAt: now };
    const add = async () => {
      const added = await insertCustomer(db, { id, ...fields, ...keys, ...times, requestHash }, chatId);
      if (!added) throw chatNotFound();
      if (added === "deleted") throw new AppError("conflict", "This customer was deleted.");
      if (chatId) await nameVisitor(context, chatId, added.name);
      return added;
    };
    const findKnown = async () => {
      const known = await findCustomer(db, id);
      return known && repeatedAnswer(known, { requestHash }, "Another customer was added with this id.");
    };
    return apiCustomer(await writeOrExplain(add, findKnown));
  },
});

/** Names an unnamed visitor after the customer; a failure is logged. */
async function nameVisitor({ env, db, user }: StaffContext, chatId: string, userName: string): Promise<void> {
  const room = env.CHAT_ROOM.getByName(chatId);
  const change = { userName, was: { userName: NEW_CUSTOMER }, by: staffNameOf(user), author: db.author };
  await room.update(change).catch((error: unknown) => console.warn("A visitor was not named:", error));
}

/** Updates a customer; missing fields stay unchanged. @throws AppError notFound; conflict for one whose data were deleted */
export const changeCustomer = operation({
  route: "PATCH customer/:id",
  summary: "Change a customer; missing fields stay",
  answer: Customer,
  errors: [409],
  access: "staff",
  input: CustomerChanges,
  async run({ db, now, input: { id, ...changes } }) {
    const { name, email } = changes;
    const keys = {
      ...(name !== undefined && nameKeys(name)),
      emailKey: email === undefined ? undefined : email && emailKey(email),
    };
    const write = () => updateCustomer(db, id, { ...changes, ...keys, updatedAt: now });
    const customer = await writeOrExplain(write, () => requireChangeable(db, id).then(() => undefined));
    if (!customer) throw customerNotFound();
    return apiCustomer(customer);
  },
});

/**
 * Refuses what would move data out of a planned deletion, or other data into it.
 *
 * @throws AppError conflict with the date of the deletion
 */
export async function refusePlannedDeletion(
  { db, settings }: Pick<StaffContext, "db" | "settings">,
  customerIds: string[],
  chatId: string | null = null,
): Promise<void> {
  const dueAt = await findPlannedDeletion(db, customerIds, chatId);
  if (dueAt === null) return;
  const date = formatDate(dueAt, settings.timezone);
  const who = chatId === null ? "one of these customers" : "this customer or visitor";
  throw new AppError(
    "conflict",
    `The data of ${who} will be deleted on ${date}, as was asked. An admin can cancel the deletion under Personal data.`,
  );
}

/**
 * Merges another customer into one: chats, holds and documents move, and the other is deleted. Each field comes from the
 * chosen side; without a choice the other one fills what is empty, and notes are joined.
 *
 * @throws AppError notFound; conflict for a customer with itself, when both have accounts, when their joined notes are too
 * long, while the deletion of one is planned, or after it
 */
export const mergeCustomer = operation({
  route: "POST customer/:customerId/merge",
  summary: "Merge another customer into this one",
  answer: Customer,
  errors: [409],
  access: "staff",
  input: CustomerMerge,
  async run({ input, ...context }) {
    const { db, now } = context;
    const { customerId: keptId, id: mergedId, fields } = input;
    if (keptId === mergedId) throw new AppError("conflict", "A customer can't be merged with itself.");
    // Another merge or a plan may come first: each attempt reads both.
    await writeOrExplain(async () => {
      const [[, merged]] = await bothOf(
        bothOf(requireChangeable(db, keptId), requireChangeable(db, mergedId)).then((pair) => {
          checkMerge(...pair, fields);
          return pair;
        }),
        refusePlannedDeletion(context, [keptId, mergedId]),
      );
      await mergeCustomers(db, { keptId, mergedId, userId: merged.userId }, fields, now);
    });
    return apiCustomer(await requireCustomer(db, keptId));
  },
});

/** Checks that two customers can be merged. @throws AppError conflict for two accounts, and for joined notes that a customer could not be saved with */
function checkMerge(
  kept: StoredCustomer,
  merged: StoredCustomer,
  fields: z.infer<typeof CustomerMerge>["fields"],
): void {
  if (kept.hasAccount && merged.hasAccount) throw new AppError("conflict", "Both customers have an account.");
  if (!joinsNotes(fields)) return;
  const { length } = [...`${kept.notes}\n${merged.notes}`.trim()];
  if (length <= MAX_NOTES_LENGTH) return;
  const [joined, max] = [length, MAX_NOTES_LENGTH].map((each) => each.toLocaleString("en"));
  throw new AppError(
    "conflict",
    `The notes of both have ${joined} characters, and a customer's notes at most ${max}. Choose one side's notes or shorten them first.`,
  );
}

/**
 * Links a chat to a customer in place of an earlier one.
 *
 * @throws AppError notFound; conflict while the deletion of the chat or the customer is planned, or after the customer's
 */
export const linkCustomer = operation({
  access: "staff",
  input: CustomerLink,
  async run({ input: { chatId, customerId }, ...context }) {
    const { db, now } = context;
    // A plan or a deletion may come first: each attempt reads both.
    const { isLinked, name } = await writeOrExplain(async () => {
      const [customer] = await bothOf(
        requireChangeable(db, customerId),
        refusePlannedDeletion(context, [customerId], chatId),
      );
      return { isLinked: await linkChatToCustomer(db, chatId, customerId, now), name: customer.name };
    });
    if (!isLinked) throw chatNotFound();
    await nameVisitor(context, chatId, name);
    return { name };
  },
});

/** Reads a customer's chats, holds, quotes and documents, newest first. @throws AppError notFound */
export const readTimeline = operation({
  route: "GET customer/:id/timeline",
  summary: "List a customer's chats, holds, quotes and documents",
  answer: Timeline,
  access: "staff",
  input: TimelineInput,
  async run({ db, input: { id, limit, offset } }) {
    await requireCustomer(db, id);
    return readList(
      async (window) => {
        const [rows, total] = await Promise.all([findTimeline(db, id, window), countTimeline(db, id)]);
        return { rows: rows.map(apiEntry), total };
      },
      { limit, offset },
    );
  },
});

const apiEntry = ({ amountCents, at, deposits, ...entry }: TimelineRow) => ({
  ...entry,
  deposits: deposits.map(({ amountCents: cents, ...deposit }) => ({ ...deposit, amount: cents / 100 })),
  at: timestamp(at),
  amount: amountCents === null ? null : amountCents / 100,
});
