import { requireNoRestore } from "~/db/restores.server";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { sha256 } from "~/session/tokens.server";
import type { FileCard } from "./file-card";
import { isPicture, MAX_FILE_BYTES } from "./files";
import { cleanAnimation } from "./gif";
import { readImage } from "./image-formats";
import { type CheckedImage, checkImage, type ImageBounds, processImage } from "./operations/upload.server";
import { resizeImage } from "./resize.server";
import { IMAGE_WIDTHS } from "./schema";

// Files that people attach (docs/decisions/0022-chat-files.md): their names, content, storage and answers.

const MAX_NAME = 100;
/** Characters kept of the end of a long name, with its extension. */
const NAME_END = 20;
const EXTENSIONS: Record<string, RegExp> = {
  "image/jpeg": /\.jpe?g$/i,
  "image/png": /\.png$/i,
  "image/gif": /\.gif$/i,
  "application/pdf": /\.pdf$/i,
};
const EXTENSION: Record<string, string> = {
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/gif": ".gif",
  "application/pdf": ".pdf",
};

/** Cleans the name that a sender gave a file: no path, control or invisible characters, at most 100 characters. */
export function cleanFileName(name: string): string {
  const base = name.toWellFormed().normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const visible = base
    // Browsers encode these in the header of a form's file.
    .replace(/%(?:22|0a|0d)/gi, " ")
    .replace(/[\p{C}\p{Zl}\p{Zp}"<>|:*?]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[ .]+/, "")
    .trim();
  const letters = [...visible];
  if (letters.length === 0) return "file";
  if (letters.length <= MAX_NAME) return visible;
  return [...letters.slice(0, MAX_NAME - NAME_END - 1), "…", ...letters.slice(-NAME_END)].join("");
}

/**
 * Builds the Content-Disposition of a file. The extension follows the content, so that a saved file opens as what it is.
 *
 * @param name as cleanFileName returned it
 */
export function contentDisposition(kind: "inline" | "attachment", name: string, contentType: string): string {
  const isNamedSo = EXTENSIONS[contentType]?.test(name) ?? true;
  const fileName = isNamedSo ? name : name + (EXTENSION[contentType] ?? "");
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Largest sides of a stored picture, px. */
const PICTURE_BOUNDS: ImageBounds = { width: 2048, height: 2048 };
const PDF = "application/pdf";
const PDF_SIGNATURE = "%PDF-";

/** File that is about to be stored, with what is known of its card. */
export interface PlannedFile {
  file: File;
  card: FileCard;
}

/**
 * Checks files by their content.
 *
 * @param folder of their keys, with a slash at the end
 * @throws AppError tooLarge (413), invalid (400); with the name of the file
 */
export async function planFiles(files: File[], folder: string): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = [];
  for (const file of files) planned.push({ file, card: await planFile(file, folder) });
  return planned;
}

/** The key ends with a hash of name and content, and a part that each upload has of its own. */
async function planFile(file: File, folder: string): Promise<FileCard> {
  const name = cleanFileName(file.name);
  if (file.size > MAX_FILE_BYTES) throw new AppError("tooLarge", `${name} is larger than 10 MB`);
  const contentType = (await isPdf(file)) ? PDF : await imageType(file, name);
  const content = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  const hash = (await sha256(`${name}\0${Buffer.from(content).toString("hex")}`)).slice(0, 32);
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");
  return { type: "file", key: `${folder}${hash}-${random}`, name, contentType, size: file.size };
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

/** Stores files, pictures anew without metadata; none of them when one fails. @throws Error RESTORING */
export async function storeFiles(
  { db, env }: Pick<RequestContext, "db" | "env">,
  planned: PlannedFile[],
): Promise<FileCard[]> {
  await requireNoRestore(db);
  const stored: FileCard[] = [];
  try {
    for (const { file, card } of planned) stored.push(await storeFile(env, file, card));
    return stored;
  } catch (error) {
    const keys = stored.map(({ key }) => key);
    if (keys.length > 0) await env.BUCKET.delete(keys);
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
export const fileNotFound = () => new AppError("notFound", "File not found");

/**
 * Answers with a stored file: pictures are displayed, other files downloaded.
 *
 * @param w requested width of a picture, px; it gets the next larger one that is offered
 * @throws AppError notFound
 */
export async function storedFile(env: Env, key: string, w: number | undefined): Promise<Response> {
  const object = await env.BUCKET.get(key);
  if (!object) throw fileNotFound();
  const contentType = object.httpMetadata?.contentType ?? "application/octet-stream";
  const name = decodeURIComponent(object.customMetadata?.name ?? "file");
  const isImage = isPicture({ contentType });
  const width = w === undefined ? undefined : IMAGE_WIDTHS.find((offered) => offered >= w);
  const resized = isImage && width ? await resize(env, object.body, width) : null;
  // The failed attempt has read it.
  const stored = object.bodyUsed && !resized ? await env.BUCKET.get(key) : object;
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
}

/** Resizes the first frame; null when that fails. */
const resize = (env: Env, image: ReadableStream<Uint8Array>, width: number) =>
  resizeImage(env, image, {
    place: "Resized picture of a file",
    transform: { width, fit: "scale-down" },
    output: { format: "image/webp", quality: 82, anim: false },
  });
