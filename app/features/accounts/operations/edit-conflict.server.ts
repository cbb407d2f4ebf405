import { rejectStaleEdit as refuseStaleEdit } from "~/http/edit-conflict.server";
import type { DisplayedUser } from "../users/schema";

/** What the form shows of an account, and nothing else of it. */
export function shownOf(account: DisplayedUser): DisplayedUser {
  const { firstName, lastName, phoneNumber, isManager, isAdmin, isUser } = account;
  return { firstName, lastName, phoneNumber, isManager, isAdmin, isUser };
}

/**
 * Rejects a stale edit of an account.
 *
 * @param was what the second one's form showed
 * @throws AppError conflict (409) with what stands there now beside each field
 */
export function rejectStaleEdit(
  was: DisplayedUser,
  stored: DisplayedUser,
  changes: Partial<DisplayedUser>,
): void {
  refuseStaleEdit<DisplayedUser>("this user", was, shownOf(stored), changes);
}
