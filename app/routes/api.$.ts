import { API_ROUTES, readOpenApi } from "~/api/routes.server";
import type { ReadMail } from "~/features/chat/mail-reader";
import { apiRoutes } from "~/http/api-route.server";

// One route of Remix for all of them: browsers load the list of Remix's routes, and never these.
const route = apiRoutes({ ...API_ROUTES, "openapi.json": { GET: readOpenApi } });

export const loader = route.loader;
export const action = route.action;

/**
 * Reads a raw mail for the Worker's handler of mails. It is part of this build, which is printed in ASCII: the library's
 * patterns name letters beyond Latin-1 (docs/decisions/0040-ascii-server-build.md).
 */
export async function readMail(raw: ArrayBuffer): Promise<ReadMail | null> {
  const reader = await import("~/features/chat/mail-reader");
  return reader.readMail(raw);
}
