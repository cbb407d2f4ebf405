import type { ReadMail } from "./mail-reader";

/**
 * Reads a raw mail for the Worker's handler of mails. A route exports it, since the server build is printed in ASCII: the
 * library's patterns name letters beyond Latin-1 (docs/decisions/0040-ascii-server-build.md).
 */
export async function readMail(raw: ArrayBuffer): Promise<ReadMail | null> {
  const reader = await import("./mail-reader");
  return reader.readMail(raw);
}
