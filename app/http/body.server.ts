import { AppError } from "./errors";

/**
 * Reads a request's body, never more than `maxBytes` of it, whatever Content-Length claims.
 *
 * @returns the bytes
 * @throws AppError tooLarge (413)
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new AppError("tooLarge", "The request is too large.");
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
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
