import { searchForm, sortKey } from "~/db/text";
import { recordFailure } from "~/features/incidents/operations.server";
import { rejectStaleEdit } from "~/http/edit-conflict.server";
import { AppError } from "~/http/errors";
import { emailKey, isNewEmail } from "~/http/fields";
import type { RequestContext } from "~/http/request-context.server";
import { type CurrentUser, hasRole, isManaging } from "~/session/caller.server";
import { endLiveConnections } from "~/session/live-connections.server";
import { deleteUserSessions } from "~/session/queries.server";
import { type EndedKeysReason, notifyOfEndedKeys, sendEmailChangedMail } from "../mail.server";
import { rejectTakenEmail } from "../new-user.server";
import {
  type Actor,
  endReplyAddresses,
  findRenewedChats,
  findUser,
  leavesNoAdmin,
  renewChatAddresses,
  type UserChanges,
  type UserRow,
  updateCustomerEmail,
  updateUser,
} from "../queries.server";
import { voidResetLinks } from "../resets.queries.server";
import { type UserView, userView } from "../user-view.server";
import { type DisplayedUser, EDITED_USER } from "../users/user";

export const notAllowed = () => new AppError("forbidden", "You don't have permission to do this.");
export const noSuchUser = () => new AppError("notFound", "User not found");
const justChanged = () => new AppError("conflict", "The account has just changed. Please try again.");

const adminNeeded = () =>
  new AppError(
    "conflict",
    "The shop needs an admin, and the deletion of every other admin’s account is planned. Cancel one under My Account, or make somebody else an admin first.",
  );

/** Submitted fields of an account; an undefined one stays unchanged. */
export type SubmittedChanges = { [Name in keyof UserChanges]?: UserChanges[Name] | undefined };

/** Permitted edit of an account. */
interface Edit {
  actor: CurrentUser;
  /**
   * Account as read when the edit was permitted. `unchanged`: its values in the form's fields, which must still be
   * stored at the write; absent for the API.
   */
  target: CurrentUser & { unchanged?: DisplayedUser; passwordHash?: string };
  changes: SubmittedChanges;
  passwordHash?: string;
}

/**
 * Writes an edit with its consequences. A new password or address ends the account's sessions except the actor's own
 * and voids its reset links; deactivation ends its sessions. The former address is notified of a new one, which the
 * account's customer and chats get, too. A password set by somebody else, deactivation and the loss of the last role end the
 * account's API keys, which its owner is told. An account that was locked gets no mailed addresses back.
 *
 * @throws AppError forbidden (403) when the actor has just lost the permission, notFound (404), conflict (409) at
 *   `email`, when the account has just changed, and for the last admin whose account stays
 */
export async function saveAccount(context: RequestContext, edit: Edit): Promise<UserView> {
  const { db, now } = context;
  const { actor, target, changes, passwordHash } = edit;
  const { email } = changes;
  const hasNewEmail = isNewEmail(email, target.email);
  const hasNewCredentials = passwordHash !== undefined || hasNewEmail;
  // A reactivated account must not get its old sessions back.
  const endsSessions = hasNewCredentials || changes.isUser === false;
  const ownTokenHash = actor.id === target.id ? await context.caller.tokenHash() : null;
  const keysEndBecause = reasonToEndKeys(edit);
  const columns = { ...storedChanges(changes, now), ...(passwordHash !== undefined && { passwordHash }) };
  const saved = await rejectTakenEmail(
    updateUser(db, { actor, target, endsKeys: keysEndBecause !== null }, columns, (id) => [
      ...(endsSessions ? [deleteUserSessions(db, id, ownTokenHash)] : []),
      ...(hasNewCredentials ? [voidResetLinks(db, id, now)] : []),
      ...(endsReplies(edit) ? [endReplyAddresses(db, id)] : []),
      ...(hasNewEmail ? renewAddress(db, id, { former: target.email, email, now }) : []),
    ]),
  );
  if (!saved) {
    const reason = await explainRejectedWrite(context, actor, target);
    throw reason.code === "conflict" && (await leavesNoAdmin(db, target, columns)) ? adminNeeded() : reason;
  }
  // Somebody else's edit may have removed a role: connections that relied on it close.
  if (endsSessions || actor.id !== target.id) await endLiveConnections(context, target.id);
  if (hasNewEmail) {
    notifyFormerAddress(context, edit);
    context.waitUntil(renewRooms(context, target.id, email));
  }
  if (keysEndBecause) notifyOfEndedKeys(context, target, saved.endedKeys, keysEndBecause);
  return userView(saved.user);
}

/** Builds the statements that give the account's customer and chats its new address. @param id query, as in `updateUser` */
const renewAddress = (
  db: RequestContext["db"],
  id: Parameters<typeof renewChatAddresses>[1],
  { former, email, now }: { former: string; email: string; now: number },
) => [
  ...updateCustomerEmail(db, id, emailKey(former), { email, emailKey: emailKey(email), updatedAt: now }),
  renewChatAddresses(db, id, former, email),
];

/** Has the rooms of the account's chats take over its new address; one that can't be reached does so with its next message. */
async function renewRooms({ db, env }: RequestContext, userId: string, email: string): Promise<void> {
  const renewed = findRenewedChats(db, userId, email).then((ids) =>
    Promise.all(ids.map((id) => env.CHAT_ROOM.getByName(id).renewAddress())),
  );
  await renewed.catch((error: unknown) => console.warn("Rooms have not heard of a new address:", error));
}

/** Tells whether the mailed addresses end: who gets the account back, or its new password, must not get back those of before. */
const endsReplies = ({ actor, target, passwordHash }: Edit) =>
  !target.isUser || !hasRole(target) || (passwordHash !== undefined && actor.id !== target.id);

function reasonToEndKeys({ actor, target, changes, passwordHash }: Edit): EndedKeysReason | null {
  if (changes.isUser === false) return "deactivated";
  const { isAdmin = target.isAdmin, isManager = target.isManager } = changes;
  if (isManaging(target) && !isManaging({ isAdmin, isManager })) return "demoted";
  return passwordHash !== undefined && actor.id !== target.id ? "reset" : null;
}

/** Builds the columns that an edit writes. */
function storedChanges(changes: SubmittedChanges, now: number): UserChanges {
  const known = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const { email, firstName, lastName } = changes;
  const name = firstName !== undefined && lastName !== undefined ? `${firstName} ${lastName}` : null;
  return {
    ...known,
    ...(email && { emailKey: emailKey(email) }),
    // One name alone may meet another edit's: triggers then mark the keys.
    ...(name !== null && { sortKey: sortKey(name), searchName: searchForm(name) }),
    updatedAt: now,
  };
}

function notifyFormerAddress({ env, waitUntil }: RequestContext, { actor, target }: Edit): void {
  const by = actor.id === target.id ? "owner" : "staff";
  const failure = { kind: "mail", place: "Notice of a changed address" } as const;
  waitUntil(sendEmailChangedMail(env, target, by).catch((error) => recordFailure(env, failure, error)));
}

/**
 * Finds out why a conditional write changed no row.
 *
 * @param isPermitted rule of the write
 * @returns forbidden (403) for an actor who has lost their role or breaks the rule now; notFound (404); conflict (409)
 */
export async function explainRejectedWrite(
  { db }: RequestContext,
  actor: Actor,
  { id }: Pick<UserRow, "id">,
  isPermitted: (actor: UserRow, target: UserRow) => boolean = () => true,
): Promise<AppError> {
  const [currentActor, target] = await Promise.all([findUser(db, actor.id), findUser(db, id)]);
  if (!currentActor || !keepsRole(currentActor, actor)) return notAllowed();
  if (!target) return noSuchUser();
  return isPermitted(currentActor, target) ? justChanged() : notAllowed();
}

function keepsRole(current: UserRow, actor: Actor): boolean {
  if (!current.isUser) return false;
  return actor.isAdmin ? current.isAdmin : current.isManager || !actor.isManager;
}

/**
 * Rejects a stale edit of an account.
 *
 * @param was values that the form was opened with
 * @throws AppError conflict (409) with the current value of each changed field
 */
export function rejectStaleAccount(
  was: DisplayedUser,
  stored: DisplayedUser,
  changes: Partial<DisplayedUser>,
): void {
  rejectStaleEdit<DisplayedUser>("this user", was, EDITED_USER.pick(stored), changes);
}
