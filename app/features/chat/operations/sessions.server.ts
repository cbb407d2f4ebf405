import type { RequestContext } from "~/http/request-context.server";

/**
 * Looks after the live connections of someone whose session, role or account has just changed: those that have lost
 * their right end. Call it when the change is stored; what is said after its answer doesn't reach them any more.
 *
 * @param userId null does nothing
 */
export async function endLiveConnections(
  { env }: Pick<RequestContext, "env">,
  userId: string | null | undefined,
): Promise<void> {
  if (!userId) return;
  await env.ADMIN_ROOM.getByName("admin")
    .sessionEnded(userId)
    .catch((error: unknown) => console.warn("Live connections could not be looked after:", error));
}
