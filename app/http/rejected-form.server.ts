import { json } from "@remix-run/cloudflare";
import { isRouteErrorResponse } from "@remix-run/react";
import type { AppError } from "./errors";

interface Rejection {
  message: string;
  isRejectedForm: true;
}

/**
 * Creates the response to a body that no form of the shop can have sent. entry.server.tsx renders it as a minimal
 * document with the message alone.
 *
 * @returns a response for an action to throw
 */
export function rejectedForm({ message, status }: AppError): Response {
  return json({ message, isRejectedForm: true } satisfies Rejection, { status });
}

/**
 * Finds the rejected form among a request's errors.
 *
 * @param errors by route, as Remix collects them
 * @returns its message, or null
 */
export function rejectionIn(errors: Record<string, unknown> | null): string | null {
  const isRejection = (error: unknown): error is { data: Rejection } =>
    isRouteErrorResponse(error) && error.data?.isRejectedForm === true;
  return Object.values(errors ?? {}).find(isRejection)?.data.message ?? null;
}
