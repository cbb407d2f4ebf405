import { DAY_SECONDS } from "~/domain/durations";
import { recentChanges } from "~/features/audit/operations.server";
import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import { readListPage } from "~/records/list-page.server";
import {
  type ListParams,
  type ListRules,
  parseListParams,
  readDialog,
  withoutDialog,
} from "~/ui/DataTable/list-params";
import { findByIdWithFactor } from "../factor/queries.server";
import { findInvitations, type Invitation } from "../invitations.queries.server";
import { resetFactor } from "../operations/factor.server";
import { inviteUser, resendInvitation, revokeInvitation } from "../operations/invitations.server";
import { createUserByForm, deleteUser, updateAccountByForm } from "../operations/users.server";
import { type AccountRoles, mayDelete, mayManage } from "../roles.server";
import { type ListedUser, listedUserReads } from "./queries.server";
import { FACTOR_DIALOG, roleName, USER_FAILURES, USER_SORTS, type UserSort } from "./schema";
import { USER } from "./user";

const RULES: ListRules = {
  path: "/admin/users-management",
  sorts: USER_SORTS,
  base: { sort: "createdAt", dir: "desc" },
};

/** Actions that the caller may not perform on an account, each with the reason; null where allowed. */
export interface UserLocks {
  edit: string | null;
  delete: string | null;
  /** Being admin or manager. */
  roles: string | null;
  /** Being active. */
  active: string | null;
}
export type UserListRow = ListedUser & {
  locks: UserLocks;
  /** The caller may reset their second factor; of the user of an open dialog. */
  resetsFactor?: boolean;
};

export type UsersScreenData = ResultOf<typeof readUsersScreen>;

/** Largest number of listed invitations. */
const MAX_INVITATIONS = 50;

/** Reads the users screen at its URL. */
export const readUsersScreen = operation({
  access: "manager",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const params = parseListParams(searchParams, RULES);
    const dialog = readDialog(searchParams);
    const targetId = targetOf(dialog);
    const [list, target, changes, invited] = await Promise.all([
      resultOrNull(userPage(context, params)),
      targetId ? resultOrNull(findUserRow(context, targetId)) : null,
      recentChanges(context, targetId, USER.fields),
      context.user.isAdmin ? resultOrNull(findInvitations(context.db, MAX_INVITATIONS + 1)) : [],
    ]);
    return {
      params: list?.params ?? params,
      dialog,
      target,
      changes,
      rows: list?.rows ?? null,
      total: list?.total ?? 0,
      failure: list ? null : "Failed to fetch users",
      timezone: context.settings.timezone,
      mayGiveRoles: context.user.isAdmin,
      invitations: (invited ?? []).slice(0, MAX_INVITATIONS).map((row) => invitationView(row, context.now)),
      hasMoreInvitations: (invited?.length ?? 0) > MAX_INVITATIONS,
    };
  },
});

/** Returns the user that an open dialog is about; null for none. */
function targetOf(dialog: ReturnType<typeof readDialog>): string | null {
  if (dialog?.kind !== "dialog") return dialog?.id ?? null;
  return dialog.id.startsWith(FACTOR_DIALOG) ? dialog.id.slice(FACTOR_DIALOG.length) : null;
}

function invitationView({ id, email, firstName, lastName, expiresAt, ...roles }: Invitation, now: number) {
  const days = Math.ceil((expiresAt - now) / DAY_SECONDS);
  return {
    ...{ id, email, name: `${firstName} ${lastName}`, role: roleName(roles) },
    left: days > 0 ? `${days} ${days === 1 ? "day" : "days"} left` : "Expired",
  };
}
export type InvitationView = ReturnType<typeof invitationView>;

async function userPage(context: StaffContext, params: ListParams) {
  const { db, user } = context;
  const { q, sort } = params;
  const { rows, ...page } = await readListPage(
    context,
    params,
    listedUserReads(db, { q, sort: sort as UserSort }),
  );
  return { ...page, rows: rows.map((row) => ({ ...row, locks: userLocks(user, row) })) };
}

/** Finds the user of an open dialog, in the columns of the list; null for a deleted one. */
async function findUserRow({ db, user }: StaffContext, userId: string): Promise<UserListRow | null> {
  const found = await findByIdWithFactor(db, userId);
  if (!found) return null;
  const { user: row, hasFactor } = found;
  const { id, createdAt } = row;
  const resetsFactor = hasFactor && user.isAdmin && user.id !== id;
  return { id, ...USER.pick(row), createdAt, locks: userLocks(user, row), resetsFactor };
}

/** Explains mayManage and mayDelete for one account (docs/product.md, 1). */
function userLocks(actor: AccountRoles, target: AccountRoles): UserLocks {
  const isOwn = actor.id === target.id;
  const rolesAreLocked = target.isAdmin ? "The roles of an admin can't be changed here." : null;
  return {
    edit: mayManage(actor, target) ? null : "Only an admin may edit a colleague.",
    delete: mayDelete(actor, target) ? null : deleteLock(target, isOwn),
    roles: rolesAreLocked ?? (actor.isAdmin ? null : "Only an admin may give or take roles."),
    active: rolesAreLocked ?? (isOwn ? "You can't deactivate yourself." : null),
  };
}

function deleteLock(target: AccountRoles, isOwn: boolean): string {
  if (target.isAdmin) return "An admin can't be deleted.";
  return isOwn ? "You can't delete your own account." : "Only an admin may delete a colleague.";
}

/** Says what became of an invitation, with its link where the shop runs on this computer. */
function invitedToast({ email, isSent, link }: ResultOf<typeof inviteUser>) {
  const message = isSent
    ? `Invitation sent to ${email}`
    : `${email} is invited, but the mail could not be sent, and a link that was sent before has ended. Send it again later.`;
  if (link === null) return message;
  const { pathname, search } = new URL(link);
  const links = [{ to: pathname + search, label: "Open the invitation" }];
  return { type: isSent ? ("success" as const) : ("error" as const), message, links };
}

/** Form actions of the users screen, with their messages. */
export function userForms(url: string): FormIntents {
  const done = (toast: string) => () => ({ to: withoutDialog(url), toast });
  return {
    createUser: intent(createUserByForm, {
      done: done("User created successfully"),
      failed: failureMessage("", USER_FAILURES.createUser),
    }),
    updateUser: intent(updateAccountByForm, {
      done: done("User updated successfully"),
      failed: failureMessage("", USER_FAILURES.updateUser),
    }),
    invite: intent(inviteUser, {
      done: (invited) => ({ to: withoutDialog(url), toast: invitedToast(invited) }),
      failed: failureMessage(""),
    }),
    resendInvitation: intent(resendInvitation, {
      done: (invited) => ({ to: withoutDialog(url), toast: invitedToast(invited) }),
      failed: failureMessage(""),
    }),
    revokeInvitation: intent(revokeInvitation, {
      done: done("Invitation revoked"),
      failed: failureMessage(""),
    }),
    resetFactor: intent(resetFactor, {
      done: done("Second factor reset"),
      failed: failureMessage(""),
    }),
    deleteUser: intent(deleteUser, {
      done: done("User deleted successfully"),
      failed: failureMessage("", USER_FAILURES.deleteUser),
    }),
  };
}
