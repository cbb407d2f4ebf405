import { endLiveConnections } from "~/features/chat/operations.server";
import { AppError } from "~/http/errors";
import { emailKey, isNewEmail } from "~/http/fields";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "~/session/current-user";
import { deleteSessionsOf } from "~/session/queries.server";
import { sendAddressChangedMail } from "../mail.server";
import {
  type Actor,
  findUser,
  type UserChanges,
  type UserRow,
  updateUser,
  voidResetsOf,
} from "../queries.server";
import { type UserView, userView } from "../user-view.server";
import type { DisplayedUser } from "../users/schema";
import { rejectTakenEmail } from "./sign-up.server";

export const notAllowed = () => new AppError("forbidden", "You don't have permission to do this.");
export const noSuchUser = () => new AppError("notFound", "User not found");
const justChanged = () => new AppError("conflict", "The account has just changed. Please try again.");

/** Fields of an account as they were sent; an undefined one stays as it was. */
export type SentChanges = { [Name in keyof UserChanges]?: UserChanges[Name] | undefined };

/** Edit of an account that its rules have allowed. */
interface Edit {
  actor: CurrentUser;
  /** The account as it was when the edit was allowed; `seen` is what a form showed of it. */
  read: CurrentUser & { seen?: DisplayedUser; passwordHash?: string };
  changes: SentChanges;
  /** Of a new password. */
  passwordHash?: string;
}

/**
 * Writes an edit and what follows from it: a new password or address ends the sessions (but the actor's own) and the
 * reset links that were good before, switching an account off ends its sessions; the address before is told.
 *
 * @throws AppError forbidden (403) when the actor has lost the right meanwhile, notFound (404), conflict (409) at
 *   `email` or when the account has just changed
 */
export async function saveAccount(context: RequestContext, edit: Edit): Promise<UserView> {
  const { db, now } = context;
  const { actor, read, changes, passwordHash } = edit;
  const isMoved = isNewEmail(changes.email, read.email);
  const isSecured = passwordHash !== undefined || isMoved;
  // Switched off, an account is signed out for good: switched on again, its old sessions stay ended.
  const isOver = isSecured || changes.isUser === false;
  const kept = actor.id === read.id ? await context.caller.tokenHash() : null;
  const written = { ...storedChanges(changes, now), ...(passwordHash !== undefined && { passwordHash }) };
  const saved = await rejectTakenEmail(
    updateUser(db, { actor, read }, written, (id) => [
      ...(isOver ? [deleteSessionsOf(db, id, kept)] : []),
      ...(isSecured ? [voidResetsOf(db, id, now)] : []),
    ]),
  );
  if (!saved) throw await whyNotWritten(context, actor, read);
  if (isOver || actor.id !== read.id) await endLiveConnections(context, read.id);
  if (isMoved) tellAddressBefore(context, edit);
  return userView(saved);
}

/** Columns that an edit writes: what was sent, and what follows from it. */
function storedChanges(changes: SentChanges, now: number): UserChanges {
  const known = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...known, ...(changes.email && { emailKey: emailKey(changes.email) }), updatedAt: now };
}

function tellAddressBefore({ env, settings, waitUntil }: RequestContext, { actor, read }: Edit): void {
  const by = actor.id === read.id ? "owner" : "staff";
  waitUntil(sendAddressChangedMail(env.MAIL, settings, read, by).catch((error) => console.error(error)));
}

/**
 * Reads why a write found nothing to change.
 *
 * @param mayStill the write's rule, where another answer than "has just changed" follows from breaking it
 * @returns forbidden (403) for an actor without the right that they had, or by the rule; notFound (404); conflict (409)
 */
export async function whyNotWritten(
  { db }: RequestContext,
  actor: Actor,
  { id }: Pick<UserRow, "id">,
  mayStill: (actor: UserRow, target: UserRow) => boolean = () => true,
): Promise<AppError> {
  const [by, target] = await Promise.all([findUser(db, actor.id), findUser(db, id)]);
  if (!by || !hasRightOf(by, actor)) return notAllowed();
  if (!target) return noSuchUser();
  return mayStill(by, target) ? justChanged() : notAllowed();
}

function hasRightOf(now: UserRow, before: Actor): boolean {
  if (!now.isUser) return false;
  return before.isAdmin ? now.isAdmin : now.isManager || !before.isManager;
}
