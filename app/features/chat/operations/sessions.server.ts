import type { RequestContext } from "~/http/request-context.server";

/**
 * Looks after the live connections of someone whose session, role or account has just changed: those that have lost
 * their right end within seconds. After the answer; call it when the change is stored.
 *
 * @param userId null does nothing
 */
export function endLiveConnections(
  { env, waitUntil }: Pick<RequestContext, "env" | "waitUntil">,
  userId: string | null | undefined,
): void {
  if (!userId) return;
  const told = env.ADMIN_ROOM.getByName("admin").sessionEnded(userId);
  waitUntil(told.catch((error) => console.warn("Live connections could not be looked after:", error)));
}
