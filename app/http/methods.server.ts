import { AppError } from "./errors";

const KNOWN = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];

/**
 * Refuses a method that no route of the shop knows, before the router meets it.
 *
 * @throws AppError methodNotAllowed (405)
 */
export function refuseUnknownMethod({ method }: Request): void {
  if (KNOWN.includes(method)) return;
  throw new AppError("methodNotAllowed", "Method not allowed", { headers: { Allow: KNOWN.join(", ") } });
}
