import { fileNotFound, planFiles, storedFile, storeFiles } from "~/features/storage/attachments.server";
import { MAX_FILE_BYTES, MAX_FILES } from "~/features/storage/files";
import { FileInput } from "~/features/storage/schema";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { chatOfFile, fileKeys, textWithFiles } from "../files";
import type { IncomingMessage, InitialMessage, PostResult, StartResult } from "../rooms";
import { chatIdentity, limitError, productNotFound } from "./access.server";
import { deleteFiles, folderOfDay, selectOrphans } from "./stored-files.server";

/** Bytes of a message's other fields. */
const FIELD_BYTES = 64 * 1024;
export const MAX_UPLOAD_BYTES = MAX_FILES * MAX_FILE_BYTES + FIELD_BYTES;

/** Largest form with files of a caller: one without a chat is refused before a large body is read. */
export async function maxUploadBytes({ cookies, caller }: RequestContext): Promise<number> {
  const mayHaveChat = cookies.chats.length > 0 || (await caller.user()) !== null;
  return mayHaveChat ? MAX_UPLOAD_BYTES : FIELD_BYTES;
}

/**
 * Posts a message with files (docs/decisions/0022-chat-files.md). Everything is checked before the first file is
 * stored; the files of a refused or repeated message are removed.
 *
 * @throws AppError tooLarge (413), invalid (400)
 */
export async function postWithFiles(
  context: RequestContext,
  chatId: string,
  message: IncomingMessage,
  files: File[],
): Promise<PostResult> {
  const { env, now } = context;
  const room = env.CHAT_ROOM.getByName(chatId);
  const planned = await planFiles(files, folderOfChat(chatId, now));
  const names = planned.map(({ card }) => card.name);
  const draft = {
    ...message,
    message: textWithFiles(message.message, names),
    cards: [...message.cards, ...planned.map(({ card }) => card)],
  };
  const known = await room.check(draft);
  if (known) return known;
  const stored = await storeFiles(context, planned);
  // When this call breaks off, the message may be stored: the nightly sweep asks the room.
  const result = await room.post({ ...draft, cards: [...message.cards, ...stored] });
  const used = "stored" in result ? fileKeys(result.stored.cards) : [];
  const unused = fileKeys(stored).filter((key) => !used.includes(key));
  if (unused.length > 0) await env.BUCKET.delete(unused);
  return result;
}

/**
 * Stores the files of a message that starts or continues a chat, and hands it to the room with them: both are stored or
 * neither is. Files that the room did not take are removed.
 *
 * @param start calls the room with the message
 * @returns false when the room does not take it; `otherStart` when a start with other content has opened the chat
 * @throws AppError tooLarge (413), invalid (400), without a call; rateLimited (429)
 */
export async function storeFirst(
  context: RequestContext,
  chatId: string,
  message: InitialMessage | null,
  files: File[],
  start: (message: InitialMessage | null) => Promise<StartResult>,
): Promise<boolean | "otherStart"> {
  if (files.length === 0) return requireAccepted(await start(message));
  const { env, now } = context;
  const planned = await planFiles(files, folderOfChat(chatId, now));
  const stored = await storeFiles(context, planned);
  const names = stored.map(({ name }) => name);
  try {
    const cards = [...(message?.cards ?? []), ...stored];
    return requireAccepted(await start({ message: textWithFiles(message?.message ?? "", names), cards }));
  } finally {
    await deleteFiles(env, await selectOrphans(env, fileKeys(stored)));
  }
}

function requireAccepted(result: StartResult): boolean | "otherStart" {
  if (result === "unknownCard") throw productNotFound();
  if (result === "erased") throw new AppError("unauthenticated", "This account is being deleted.");
  if (typeof result === "object") throw limitError(result);
  return result;
}

/** Folder of the keys of a chat's files. @param now epoch seconds */
const folderOfChat = (chatId: string, now: number) => `${folderOfDay(now)}${chatId}/`;

/** Checks files before their chat exists. @throws AppError tooLarge (413), invalid (400) */
export async function checkFiles(files: File[]): Promise<void> {
  await planFiles(files, "");
}

/**
 * Reads a file of a chat, for those who may read the chat. Pictures are displayed, other files downloaded.
 *
 * @throws AppError notFound, also without access
 */
export const readFile = operation({
  route: "GET chat/file",
  summary: "Read a file of a chat",
  answer: "file",
  errors: [404],
  access: "anyone",
  input: FileInput,
  async run({ input: { key, w }, ...context }) {
    const chatId = chatOfFile(key);
    if (chatId === null || !(await chatIdentity(context, chatId))) throw fileNotFound();
    return storedFile(context.env, key, w);
  },
});
