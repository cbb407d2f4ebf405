import type { RequestContext } from "~/http/request-context.server";
import { adminRoom } from "~/http/shop-objects.server";

/**
 * Closes the live connections that a user has lost the right to, after a change of session, role or account was
 * stored. A failure is logged only: rooms check the sessions themselves while messages are sent.
 */
export async function endLiveConnections(
  { env }: Pick<RequestContext, "env">,
  userId: string | null | undefined,
): Promise<void> {
  if (!userId) return;
  await adminRoom(env)
    .sessionEnded(userId)
    .catch((error: unknown) => console.warn("Live connections could not be closed:", error));
}
