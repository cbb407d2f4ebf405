import { z } from "zod";
import { type Db, openDb } from "~/db/client.server";
import {
  fileNotFound,
  type PlannedFile,
  planFiles,
  storedFile,
  storeFiles,
} from "~/features/storage/attachments.server";
import { FileCard } from "~/features/storage/file-card";
import { MAX_FILE_BYTES, MAX_FILES } from "~/features/storage/files";
import { removeOldObjects, UNUSED_OBJECT_SECONDS } from "~/features/storage/operations/objects.server";
import { FileInput } from "~/features/storage/schema";
import { MessageAnswer } from "~/http/answers";
import { AppError, fieldError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import {
  findFiles,
  insertFiles,
  isAttached,
  MAX_FILES_OF_EXPENSE,
  setRemoved,
  unusedKeys,
} from "../queries/files.server";
import { AttachInput, RemovedFileInput } from "../schema";
import type { HashedCard } from "../views";

/** Folder of the bills in R2. */
const FOLDER = "expenses/";
export const MAX_UPLOAD_BYTES = MAX_FILES * MAX_FILE_BYTES + 64 * 1024;

/** POST expense/{id}/file: attaches files, all of them or none. A file that the expense has already is attached once. */
export const attachToExpense = operation({
  route: "POST expense/:id/file",
  summary: "Attach files to an expense",
  answer: z.array(FileCard),
  errors: [404, 409],
  access: "manager",
  input: AttachInput,
  status: 201,
  maxBytes: MAX_UPLOAD_BYTES,
  accepts: "multipart",
  run: async ({ input: { id, files }, ...context }) =>
    attachFiles(context, id, await planExpenseFiles(context, files)),
});

/** GET expense/file?key=: pictures are displayed, other files downloaded. */
export const readExpenseFile = operation({
  route: "GET expense/file",
  summary: "Read a file of an expense",
  answer: "file",
  errors: [404],
  access: "manager",
  input: FileInput,
  async run({ input: { key, w }, db, env }) {
    if (!(await isAttached(db, key))) throw fileNotFound();
    return storedFile(env, key, w);
  },
});

/** DELETE expense/file?key=: removes a file, which can be put back until the nightly purge. */
export const removeExpenseFile = operation({
  route: "DELETE expense/file",
  summary: "Remove a file of an expense",
  answer: MessageAnswer.extend({ removed: z.object({ key: z.string(), name: z.string() }) }),
  query: ["key"],
  errors: [404, 409],
  access: "manager",
  input: RemovedFileInput,
  async run({ input: { key }, db, now }) {
    const file = await setRemoved(db, key, now);
    if (!file) throw fileNotFound();
    return { message: "File removed", removed: { key, name: file.name } };
  },
});

/** Puts a removed file back. @throws AppError notFound when it was purged */
export const restoreExpenseFile = operation({
  access: "manager",
  input: RemovedFileInput,
  async run({ input: { key }, db }) {
    const file = await setRemoved(db, key, null);
    if (!file) throw fileNotFound();
    return { key };
  },
});

/**
 * Attaches files to an expense.
 *
 * @returns their cards, in the order of the files
 * @throws AppError notFound; conflict for too many files, and in a closed month
 */
export async function attachFiles(
  context: Pick<RequestContext, "db" | "env" | "now">,
  expenseId: string,
  planned: PlannedFile[],
): Promise<FileCard[]> {
  const { db, env, now } = context;
  const { isExpense, files } = await findFiles(db, expenseId);
  if (!isExpense) throw expenseNotFound();
  const missing = planned.filter(({ card }) => !files.some(({ hash }) => hash === hashOf(card)));
  if (missing.length === 0) return cardsFor(planned, files);
  const stored = await storeFiles(context, firstOfEach(missing));
  try {
    const hashed = stored.map((card) => ({ ...card, hash: hashOf(card) }));
    const after = await insertFiles(db, expenseId, hashed, now);
    if (!after.isExpense) throw expenseNotFound();
    const cards = cardsFor(planned, after.files);
    if (cards.length === planned.length) return cards;
    throw fieldError("conflict", "files", `An expense has at most ${MAX_FILES_OF_EXPENSE} files.`);
  } finally {
    // Of a refusal, and of a file that another request has attached at the same time.
    await removeUnused(db, env, stored);
  }
}

const expenseNotFound = () => new AppError("notFound", "Expense not found");

/** Checks files by their content. @throws AppError tooLarge, invalid, at the field of the files */
export async function planExpenseFiles(
  { now }: Pick<RequestContext, "now">,
  files: File[],
): Promise<PlannedFile[]> {
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  try {
    return await planFiles(files, `${FOLDER}${day}/`);
  } catch (error) {
    throw error instanceof AppError ? fieldError(error.code, "files", error.message) : error;
  }
}

/** Returns the part of a key that is the same for the same name and content. */
const hashOf = ({ key }: FileCard) => key.slice(key.lastIndexOf("/") + 1).split("-")[0] ?? key;

const firstOfEach = (planned: PlannedFile[]) =>
  planned.filter(({ card }, i) => planned.findIndex((other) => hashOf(other.card) === hashOf(card)) === i);

/** Finds the cards of the files that were sent. */
const cardsFor = (planned: PlannedFile[], files: HashedCard[]): FileCard[] =>
  planned.flatMap(({ card }) =>
    files.filter(({ hash }) => hash === hashOf(card)).map(({ hash: _, ...found }) => found),
  );

/** Removes the stored objects that no expense names. */
async function removeUnused(db: Db, env: Env, cards: FileCard[]): Promise<void> {
  const keys = cards.map(({ key }) => key);
  const unused = await unusedKeys(db, keys);
  if (unused.length > 0) await env.BUCKET.delete(unused);
}

/**
 * Removes the files that no expense names: of purged expenses, removed ones, and of uploads that broke off. Runs nightly.
 *
 * @param now epoch milliseconds
 * @returns number of removed objects
 */
export async function removeUnusedFiles(env: Env, now = Date.now()): Promise<number> {
  const { db } = openDb(env.DB);
  const folder = { name: FOLDER, before: now - UNUSED_OBJECT_SECONDS * 1000 };
  const select = (objects: R2Object[]) =>
    unusedKeys(
      db,
      objects.map(({ key }) => key),
    );
  return (await removeOldObjects(env.BUCKET, folder, select)).removed;
}
