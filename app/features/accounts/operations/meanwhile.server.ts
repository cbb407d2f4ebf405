import { changedMeanwhile } from "~/http/edit-conflict.server";
import type { ShownUser } from "../users/schema";

/** What the form shows of an account, and nothing else of it. */
export function shownOf(account: ShownUser): ShownUser {
  const { firstName, lastName, phoneNumber, isManager, isAdmin, isUser } = account;
  return { firstName, lastName, phoneNumber, isManager, isAdmin, isUser };
}

/**
 * Of two people who edit one account the second is told what the first one changed. What both have changed alike, and
 * what the second doesn't ask for, is nothing to tell.
 *
 * @param was what the second one's form showed
 * @param stored what is stored now
 * @throws AppError conflict (409) with what stands there now beside each field
 */
export function refuseStale(was: ShownUser, stored: ShownUser, changes: Partial<ShownUser>): void {
  const names = Object.keys(was) as (keyof ShownUser)[];
  const differences = names
    .filter((name) => was[name] !== stored[name])
    .filter((name) => changes[name] !== undefined && changes[name] !== stored[name])
    .map((path) => ({ path, ...told(stored[path]), isBoth: changes[path] !== was[path] }));
  if (differences.length > 0) throw changedMeanwhile("user", differences);
}

/** A field's value in words, and as the form sends it. */
function told(value: string | boolean): { now: string; value: string } {
  if (typeof value === "string") return { now: value, value };
  return value ? { now: "ticked", value: "on" } : { now: "not ticked", value: "" };
}
