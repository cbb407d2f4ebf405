import { AppError } from "./errors";

/** Bytes read of a refused body before the connection is cut: a client that is cut off earlier may not read the error. */
const DRAINED_BYTES = 1024 * 1024;
export const BODY_TOO_LARGE = "The request is too large.";
const BODY_INCOMPLETE = "The request broke off.";

/** A request whose body can still be drained after its handler has refused it. */
interface BufferedBody {
  request: Request;
  /** Reads the unread part, so that the response arrives and the connection can serve the next request. */
  drain: () => Promise<void>;
}

/**
 * Wraps a request so that its body can be drained later. Remix copies the request, and the body of a copy is out of
 * reach.
 */
export function bufferBody(request: Request): BufferedBody {
  if (!request.body) return { request, drain: async () => {} };
  const reader = request.body.getReader();
  if (request.method === "GET" || request.method === "HEAD")
    return { request: withoutBody(request), drain: () => drain(reader) };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  // Node, which serves `npm run dev`, refuses a streamed body without `duplex`; workerd's types don't know it.
  const init: RequestInit & { duplex: "half" } = { body, duplex: "half" };
  return { request: new Request(request, init), drain: () => drain(reader) };
}

/** Copies a GET or HEAD that came with a body, which means nothing there and which no copy of Remix's may have. */
function withoutBody({ url, method, headers, signal }: Request): Request {
  const kept = new Headers(headers);
  for (const name of ["Content-Length", "Transfer-Encoding"]) kept.delete(name);
  return new Request(url, { method, headers: kept, signal, redirect: "manual" });
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let remaining = DRAINED_BYTES; remaining > 0; ) {
      const { done, value } = await reader.read();
      if (done) return;
      remaining -= value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The client has disconnected.
  }
}

/**
 * Reads a request's body up to `maxBytes`; Content-Length is not trusted.
 *
 * @throws AppError tooLarge (413); invalid (400) for a connection that breaks off
 */
export async function readBody(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const tooLarge = () => new AppError("tooLarge", BODY_TOO_LARGE);
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) throw tooLarge();
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  const readNext = () => reader.read().catch(() => Promise.reject(new AppError("invalid", BODY_INCOMPLETE)));
  for (let read = await readNext(); !read.done; read = await readNext()) {
    size += read.value.byteLength;
    if (size > maxBytes) {
      reader.releaseLock();
      throw tooLarge();
    }
    chunks.push(read.value);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a JSON object.
 *
 * @returns the object; {} for an empty body (a POST without input, such as logout)
 * @throws AppError tooLarge (413), unsupportedType (415) unless the body is JSON, invalid (400) when it can't be read
 */
export async function readJson(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, maxBytes);
  if (bytes.byteLength === 0) return {};
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(request.headers.get("Content-Type") ?? "")) {
    throw new AppError("unsupportedType", "Send JSON: Content-Type must be application/json.");
  }
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new AppError("invalid", "Send a JSON object.");
  }
  return value as Record<string, unknown>;
}

/** Parses JSON. @throws AppError invalid */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError("invalid", "The JSON could not be read.");
  }
}

/** Recognises a form with files. */
export function isMultipart(request: Request): boolean {
  return /^multipart\/form-data\b/i.test(request.headers.get("Content-Type") ?? "");
}

interface FormLimits {
  maxBytes: number;
  /** Each value of a repeated field counts. */
  maxFields: number;
  /** The only field names accepted; any name unless stated. */
  names?: ReadonlySet<string>;
}

/**
 * Reads a form, urlencoded or multipart. Fields are counted before decoding, and names are checked before parsing:
 * `a[999999999]` or thousands of nested names never become an object.
 *
 * @throws AppError tooLarge (413), unsupportedType (415), invalid (400)
 */
export async function readForm(
  request: Request,
  { maxBytes, maxFields, names }: FormLimits,
): Promise<FormData> {
  const encoding = formEncoding(request.headers.get("Content-Type") ?? "");
  if (!encoding) throw new AppError("unsupportedType", "Send a form.");
  const bytes = await readBody(request, maxBytes);
  if (occursMoreThan(bytes, encoding.separator, encoding.base + maxFields))
    throw new AppError("invalid", "The form has too many fields.");
  const form = await decodeForm(bytes, encoding.type);
  for (const name of form.keys())
    if (names && !names.has(name))
      throw new AppError("invalid", "The form has a field that is not known here.");
  return form;
}

interface FormEncoding {
  /** Content type with its boundary. */
  type: string;
  separator: string;
  /** Separators of a form without fields. */
  base: number;
}

function formEncoding(contentType: string): FormEncoding | null {
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType))
    return { type: contentType, separator: "&", base: -1 };
  const [, boundary] = /^multipart\/form-data\b.*?;\s*boundary="?([^\s";]+)/i.exec(contentType) ?? [];
  if (!boundary) return null;
  return { type: `multipart/form-data; boundary="${boundary}"`, separator: `--${boundary}`, base: 1 };
}

function occursMoreThan(bytes: Buffer, text: string, max: number): boolean {
  let at = bytes.indexOf(text);
  for (let found = 0; at !== -1; at = bytes.indexOf(text, at + text.length)) if (++found > max) return true;
  return false;
}

async function decodeForm(bytes: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => {
    throw new AppError("invalid", "The form could not be read.");
  });
  const text = [...form].flat().filter((part) => typeof part === "string");
  if (REPLACED.test(text.join("")) && !sendsReplacement(bytes))
    throw new AppError("invalid", "The form has characters that are not UTF-8.");
  return form;
}

/** Character that decoding puts in place of bytes that are not UTF-8, and its bytes, as they are and urlencoded. */
const REPLACED = /\ufffd/;
const sendsReplacement = (bytes: Buffer) =>
  bytes.includes("\ufffd") || bytes.includes("%EF%BF%BD") || bytes.includes("%ef%bf%bd");
