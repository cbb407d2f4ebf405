import type { RequestContext } from "~/http/request-context.server";
import { adminRoom } from "~/http/shop-objects.server";

/**
 * Closes the live connections that users have lost the right to, after a change of session, role or account was
 * stored. A failure is logged only: rooms check the sessions themselves while messages are sent.
 */
export async function endLiveConnections(
  { env }: Pick<RequestContext, "env">,
  ...userIds: (string | null | undefined)[]
): Promise<void> {
  const known = userIds.filter((id) => typeof id === "string");
  if (known.length === 0) return;
  await adminRoom(env)
    .sessionEnded(...known)
    .catch((error: unknown) => console.warn("Live connections could not be closed:", error));
}
