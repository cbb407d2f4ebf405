import type { RequestContext } from "~/http/request-context.server";
import { adminRoom } from "~/http/shop-objects.server";
import { addToOutbox, type NewEntry, type OutboxEntry } from "./queries/outbox.server";

/**
 * Stores an entry and delivers it at once; what fails is repeated by the alarm of the admin room.
 *
 * @returns the entry as it was stored, which a repeated request finds again
 */
export async function deliver(
  { env, db }: Pick<RequestContext, "env" | "db">,
  entry: NewEntry,
): Promise<OutboxEntry> {
  const stored = await addToOutbox(db, entry);
  // Stored: a failure here only delays it until the next delivery or the nightly run.
  await deliverFromRoom(env).catch((error: unknown) => console.warn("The outbox was not reached:", error));
  return stored;
}

/** Delivers what is due; one object for the whole shop delivers, so that nothing is sent twice at the same time. */
export async function deliverFromRoom(env: Env): Promise<void> {
  await adminRoom(env).deliverSales();
}
