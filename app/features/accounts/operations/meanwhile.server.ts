import { refuseStale as refuseStaleEdit } from "~/http/edit-conflict.server";
import type { ShownUser } from "../users/schema";

/** What the form shows of an account, and nothing else of it. */
export function shownOf(account: ShownUser): ShownUser {
  const { firstName, lastName, phoneNumber, isManager, isAdmin, isUser } = account;
  return { firstName, lastName, phoneNumber, isManager, isAdmin, isUser };
}

/**
 * Rejects a stale edit of an account.
 *
 * @param was what the second one's form showed
 * @throws AppError conflict (409) with what stands there now beside each field
 */
export function refuseStale(was: ShownUser, stored: ShownUser, changes: Partial<ShownUser>): void {
  refuseStaleEdit<ShownUser>("this user", was, shownOf(stored), changes);
}
