import { requireNoRestore } from "~/db/restores.server";
import { cleanAnimation } from "~/features/storage/gif";
import { readImage } from "~/features/storage/image-formats";
import {
  type CheckedImage,
  checkImage,
  type ImageBounds,
  processImage,
} from "~/features/storage/operations/upload.server";
import { resizeImage } from "~/features/storage/resize.server";
import { IMAGE_WIDTHS } from "~/features/storage/schema";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { sha256 } from "~/session/tokens.server";
import { chatOfFile, fileKeys, isPicture, MAX_FILE_BYTES, MAX_FILES, textWithFiles } from "../files";
import type { FileCard } from "../protocol";
import type { IncomingMessage, InitialMessage, PostResult, StartResult } from "../rooms";
import { FileInput } from "../schema";
import { chatIdentity, limitError } from "./access.server";
import { productNotFound } from "./cards.server";
import {
  cleanFileName,
  contentDisposition,
  deleteFiles,
  folderOfDay,
  selectOrphans,
} from "./stored-files.server";

/** Bytes of a message's other fields. */
const FIELD_BYTES = 64 * 1024;
export const MAX_UPLOAD_BYTES = MAX_FILES * MAX_FILE_BYTES + FIELD_BYTES;

/** Largest form with files of a caller: one without a chat is refused before a large body is read. */
export async function maxUploadBytes({ cookies, caller }: RequestContext): Promise<number> {
  const mayHaveChat = cookies.chats.length > 0 || (await caller.user()) !== null;
  return mayHaveChat ? MAX_UPLOAD_BYTES : FIELD_BYTES;
}

/** Largest sides of a stored picture, px. */
const PICTURE_BOUNDS: ImageBounds = { width: 2048, height: 2048 };
const PDF = "application/pdf";
const PDF_SIGNATURE = "%PDF-";

/** File of a message that is about to be stored, with what is known of its card. */
interface PlannedFile {
  file: File;
  card: FileCard;
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
  const planned = await planFiles(files, chatId, now);
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
  const planned = await planFiles(files, chatId, now);
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

/** Checks files before their chat exists. @throws AppError tooLarge (413), invalid (400) */
export async function checkFiles({ now }: RequestContext, files: File[]): Promise<void> {
  await planFiles(files, "", now);
}

async function planFiles(files: File[], chatId: string, now: number): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const file of files) planned.push({ file, card: await planFile(file, chatId, now) });
  return planned;
}

/** Checks a file by its content. @throws AppError tooLarge (413), invalid (400); with the name of the file */
async function planFile(file: File, chatId: string, now: number): Promise<FileCard> {
  const name = cleanFileName(file.name);
  if (file.size > MAX_FILE_BYTES) throw new AppError("tooLarge", `${name} is larger than 10 MB`);
  const contentType = (await isPdf(file)) ? PDF : await imageType(file, name);
  const content = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  const hash = (await sha256(`${name}\0${Buffer.from(content).toString("hex")}`)).slice(0, 32);
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");
  const key = `${folderOfDay(now)}${chatId}/${hash}-${random}`;
  return { type: "file", key, name, contentType, size: file.size };
}

async function isPdf(file: File): Promise<boolean> {
  return (await file.slice(0, PDF_SIGNATURE.length).text()) === PDF_SIGNATURE;
}

async function imageType(file: File, name: string): Promise<string> {
  try {
    return (await checkImage(new File([file], name))).header.type;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "tooLarge") throw error;
    const isDamaged = error.code === "invalid";
    throw new AppError(
      "invalid",
      isDamaged ? `${name} is damaged` : `${name} is no JPEG, PNG, WebP, GIF or PDF`,
    );
  }
}

/** Stores the files, pictures anew without metadata; none of them when one fails. @throws Error RESTORING */
async function storeFiles({ db, env }: RequestContext, planned: PlannedFile[]): Promise<FileCard[]> {
  await requireNoRestore(db);
  const stored: FileCard[] = [];
  try {
    for (const { file, card } of planned) stored.push(await storeFile(env, file, card));
    return stored;
  } catch (error) {
    if (stored.length > 0) await env.BUCKET.delete(fileKeys(stored));
    throw error;
  }
}

async function storeFile(env: Env, file: File, card: FileCard): Promise<FileCard> {
  const { key, name } = card;
  const put = (bytes: ArrayBuffer, contentType: string) =>
    env.BUCKET.put(key, bytes, {
      httpMetadata: { contentType },
      customMetadata: { name: encodeURIComponent(name) },
    });
  if (!isPicture(card)) {
    await put(await file.arrayBuffer(), card.contentType);
    return card;
  }
  const image = await checkImage(new File([file], name));
  // An animation keeps its bytes, but must be decodable.
  const processed = await processImage(env, image, PICTURE_BOUNDS);
  const { bytes, type } = smallAnimation(image) ?? processed;
  const { width, height } = readImage(new Uint8Array(bytes)) ?? image.header;
  await put(bytes, type);
  return { ...card, contentType: type, size: bytes.byteLength, width, height };
}

/** Keeps the frames of a GIF; a larger one is stored as a picture, which is its first frame. */
function smallAnimation({ bytes, header }: CheckedImage) {
  const { type, width, height } = header;
  const isSmall = Math.max(width, height) <= PICTURE_BOUNDS.width;
  const animation = type === "image/gif" && isSmall ? cleanAnimation(bytes) : null;
  return animation && { bytes: animation.buffer, type };
}

const FILE_POLICY = "default-src 'none'; sandbox";
/** Browsers style a picture that is opened as a document. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const fileNotFound = () => new AppError("notFound", "File not found");

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
    const object = await context.env.BUCKET.get(key);
    if (!object) throw fileNotFound();
    const contentType = object.httpMetadata?.contentType ?? "application/octet-stream";
    const name = decodeURIComponent(object.customMetadata?.name ?? "file");
    const isImage = isPicture({ contentType });
    const width = w === undefined ? undefined : IMAGE_WIDTHS.find((offered) => offered >= w);
    const resized = isImage && width ? await resize(context.env, object.body, width) : null;
    // The failed attempt has read it.
    const stored = object.bodyUsed && !resized ? await context.env.BUCKET.get(key) : object;
    if (!stored) throw fileNotFound();
    return new Response(resized?.image() ?? stored.body, {
      headers: {
        "Content-Type": resized ? "image/webp" : contentType,
        "Content-Disposition": contentDisposition(isImage ? "inline" : "attachment", name, contentType),
        "Content-Security-Policy": isImage ? PICTURE_POLICY : FILE_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
      },
    });
  },
});

/** Resizes the first frame; null when that fails. */
const resize = (env: Env, image: ReadableStream<Uint8Array>, width: number) =>
  resizeImage(env, image, {
    place: "Resized picture of a chat",
    transform: { width, fit: "scale-down" },
    output: { format: "image/webp", quality: 82, anim: false },
  });
