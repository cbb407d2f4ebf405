import { json } from "@remix-run/cloudflare";
import { isRouteErrorResponse } from "@remix-run/react";
import type { AppError } from "./errors";

interface Rejection {
  message: string;
  isRejectedForm: true;
}

/**
 * Answer to a body that none of the shop's forms can have sent. It is not worth its page: entry.server.tsx writes a
 * short one with the message alone.
 *
 * @returns to be thrown by an action
 */
export function rejectedForm({ message, status }: AppError): Response {
  return json({ message, isRejectedForm: true } satisfies Rejection, { status });
}

/**
 * Message of the rejected form among a request's errors.
 *
 * @param errors by route, as Remix collects them
 */
export function rejectionIn(errors: Record<string, unknown> | null): string | null {
  const isRejection = (error: unknown): error is { data: Rejection } =>
    isRouteErrorResponse(error) && error.data?.isRejectedForm === true;
  return Object.values(errors ?? {}).find(isRejection)?.data.message ?? null;
}
