import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { CurrentUser } from "~/session/current-user";
import { findUserPage, type ListedUser } from "../list.queries.server";
import { findUser, type UserRow } from "../queries.server";
import { mayDelete, mayManage } from "../roles.server";
import { UserPathInput } from "../schema";
import { UserPageInput } from "../users/schema";

/** What somebody may not do to an account, each with the reason why; null is allowed. */
export interface UserLocks {
  edit: string | null;
  delete: string | null;
  /** Being admin or manager. */
  roles: string | null;
  /** Being active. */
  active: string | null;
}

/** One page of the users' screen, each row with what the caller may not do to it. */
export const userPage = operation({
  access: "staff",
  input: UserPageInput,
  async run({ db, input, user }) {
    const { page, size, ...asked } = input;
    const { rows, total } = await findUserPage(db, { ...asked, limit: size, offset: (page - 1) * size });
    return { rows: rows.map((row) => ({ ...row, locks: locksOf(user, row) })), total };
  },
});
export type UserListRow = ListedUser & { locks: UserLocks };

/**
 * One user for the screen's dialogs.
 *
 * @throws AppError notFound (404)
 */
export const userListRow = operation({
  access: "staff",
  input: UserPathInput,
  async run({ db, input, user }): Promise<UserListRow> {
    const row = await findUser(db, input.id);
    if (!row) throw new AppError("notFound", "User not found");
    return { ...shown(row), locks: locksOf(user, row) };
  },
});

function shown({
  id,
  firstName,
  lastName,
  email,
  phoneNumber,
  isAdmin,
  isManager,
  isUser,
  createdAt,
}: UserRow) {
  return { id, firstName, lastName, email, phoneNumber, isAdmin, isManager, isUser, createdAt };
}

type Person = Pick<CurrentUser, "id" | "isAdmin" | "isManager" | "isUser">;

/** The rules of roles.server.ts in words (back office 6; contract: Managers). */
function locksOf(actor: Person, target: Person): UserLocks {
  const isOwn = actor.id === target.id;
  const rolesAreLocked = target.isAdmin ? "The roles of an admin can't be changed here." : null;
  return {
    edit: mayManage(actor, target) ? null : "Only an admin may edit an admin or a manager.",
    delete: mayDelete(actor, target) ? null : whyNotDelete(target, isOwn),
    roles: rolesAreLocked ?? (actor.isAdmin ? null : "Only an admin may give or take roles."),
    active: rolesAreLocked ?? (isOwn ? "You can't deactivate yourself." : null),
  };
}

function whyNotDelete(target: Person, isOwn: boolean): string {
  if (target.isAdmin) return "An admin can't be deleted.";
  return isOwn ? "You can't delete your own account." : "Only an admin may delete a manager.";
}
