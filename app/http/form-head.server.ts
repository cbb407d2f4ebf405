/** Bytes of a form that is too large which are still looked at: what is typed stands before its files. */
const HEAD_BYTES = 512 * 1024;

/**
 * What was typed into a form that is too large to be read: the fields before its first file.
 *
 * @param request whose body nobody has read
 * @returns an empty form where there is nothing to be had
 */
export async function readFormHead(request: Request): Promise<FormData> {
  const type = request.headers.get("Content-Type") ?? "";
  const boundary = /^multipart\/form-data\b.*;\s*boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (!boundary || !request.body || request.body.locked) return new FormData();
  const head = await firstBytes(request.body);
  const end = fileAt(head, boundary);
  const closing = new TextEncoder().encode(`--${boundary}--\r\n`);
  const whole = new Uint8Array(end + closing.length);
  whole.set(head.subarray(0, end));
  whole.set(closing, end);
  return new Response(whole, { headers: { "Content-Type": type } }).formData().catch(() => new FormData());
}

async function firstBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD_BYTES);
  const reader = body.getReader();
  let size = 0;
  while (size < HEAD_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    head.set(value.subarray(0, HEAD_BYTES - size), size);
    size += Math.min(value.length, HEAD_BYTES - size);
  }
  reader.releaseLock();
  return head.subarray(0, size);
}

/** Where the part of the first file begins, or the last part, which may be cut off. */
function fileAt(head: Uint8Array, boundary: string): number {
  // One character a byte, so that places are bytes.
  const text = new TextDecoder("latin1").decode(head);
  let part = text.indexOf(`--${boundary}`);
  for (let at = part; at !== -1; at = text.indexOf(`\r\n--${boundary}`, at + 1)) {
    part = text.startsWith("\r\n", at) ? at + 2 : at;
    const headers = text.slice(part, text.indexOf("\r\n\r\n", part));
    if (/;\s*filename\*?=/i.test(headers)) return part;
  }
  return Math.max(0, part);
}
