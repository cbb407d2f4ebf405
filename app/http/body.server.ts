import { AppError } from "./errors";

/**
 * Bytes of a refused body that are still taken in: a client that is cut off may never read why. As much as may be sent at
 * all: some photographs of a phone, sent without a script, are soon 60 MB.
 */
const DRAINED_BYTES = 100 * 1024 * 1024;
/** What a body that is larger than may be is refused with. */
export const TOO_LARGE = "The request is too large.";

/** A request that hands its body on, and what takes in the rest of that body. */
interface Taken {
  request: Request;
  /** Reads what nobody read, so that the answer arrives and the connection stays usable for the next request. */
  rest: () => Promise<void>;
}

/**
 * Keeps hold of a request's body, so that what is left of it can be taken in whoever refused it: those who answer may
 * hold the body in another Request by then (Remix makes some), where it can't be reached.
 */
export function takeIn(request: Request): Taken {
  if (!request.body) return { request, rest: async () => {} };
  const reader = request.body.getReader();
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
  return { request: new Request(request, init), rest: () => drain(reader) };
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let left = DRAINED_BYTES; left > 0; ) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The client went away; there is nobody to answer.
  }
}

/**
 * Reads a request's body, never more than `maxBytes` of it, whatever Content-Length claims.
 *
 * @returns the bytes
 * @throws AppError tooLarge (413)
 */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new AppError("tooLarge", TOO_LARGE);
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.byteLength;
    if (size > maxBytes) {
      reader.releaseLock();
      throw tooLarge();
    }
    chunks.push(read.value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/**
 * Reads a JSON object.
 *
 * @returns the object; {} for an empty body (a POST that needs nothing said, such as logout)
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

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError("invalid", "The JSON could not be read.");
  }
}

/**
 * Reads a form, urlencoded or multipart.
 *
 * @throws AppError tooLarge (413), unsupportedType (415), invalid (400)
 */
export async function readForm(request: Request, maxBytes: number): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)) {
    throw new AppError("unsupportedType", "Send a form.");
  }
  const bytes = await readBody(request, maxBytes);
  try {
    return await new Response(bytes, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new AppError("invalid", "The form could not be read.");
  }
}
