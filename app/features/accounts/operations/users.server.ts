import { z } from "zod";
import { openDb } from "~/db/client.server";
import { readListWindow } from "~/db/lists";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { MessageAnswer } from "~/http/answers";
import { fieldError } from "~/http/errors";
import { emailKey, isNewEmail, splitName } from "~/http/fields";
import { enforce, Listing, operation, parseInput } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { type CurrentUser, isManaging } from "~/session/caller.server";
import { endLiveConnections } from "~/session/live-connections.server";
import { User } from "../answers";
import { deleteExpiredInvitations } from "../invitations.queries.server";
import { newUser, rejectTakenEmail } from "../new-user.server";
import { hashPassword } from "../passwords.server";
import { findUser, insertUserBy, removeUser } from "../queries.server";
import { deleteExpiredSessionsAndResets } from "../resets.queries.server";
import { mayDelete, mayManage, maySetFlags } from "../roles.server";
import { NOTHING_STORED, profileForm, profileInput, UserListInput, UserPathInput } from "../schema";
import { userView } from "../user-view.server";
import { findOutdatedKeys, replaceEmailKeys, storedUserReads } from "../users/queries.server";
import { editUserForm, NewUserForm, NewUserInput, RoleFlagsInput, staffChangesInput } from "../users/schema";
import { type DisplayedUser, EDITED_USER } from "../users/user";
import {
  explainRejectedWrite,
  noSuchUser,
  notAllowed,
  rejectStaleAccount,
  type SubmittedChanges,
  saveAccount,
} from "./account-edits.server";
import { passwordCheckLimit, requirePassword } from "./password.server";

/** Every account, newest first. */
export const listUsers = operation({
  route: "GET user/all",
  summary: "List users",
  answer: z.array(User),
  isList: true,
  access: "manager",
  input: UserListInput,
  async run({ db, input: { limit = Number.MAX_SAFE_INTEGER, offset } }) {
    const { rows, total } = await readListWindow(storedUserReads(db), { limit, offset, dir: "desc" });
    return new Listing(rows.map(userView), total);
  },
});

/** Creates an account. @throws AppError forbidden (403) when a manager assigns a role, conflict (409) at `email` */
export const createUser = operation({
  route: "POST user",
  summary: "Add a user",
  answer: User,
  errors: [409],
  access: "manager",
  forbidsKeys: true,
  input: NewUserInput,
  status: 201,
  async run({ db, input, user, now }) {
    const [firstName, lastName] = splitName(input.fullName);
    return insertAccount({ db, user, now }, { ...input, firstName, lastName });
  },
});

/** Creates an account from the page's form, which has two name fields. */
export const createUserByForm = operation({
  access: "manager",
  input: NewUserForm,
  run: (context) => insertAccount(context, context.input),
});

type NewAccount = Parameters<typeof newUser>[0] & { password: string };

async function insertAccount(
  { db, user, now }: Pick<CustomerContext, "db" | "user" | "now">,
  { password, ...person }: NewAccount,
) {
  if (!user.isAdmin && (person.isAdmin || person.isManager || person.isSeller)) throw notAllowed();
  const row = newUser(person, await hashPassword(password), now);
  if (!(await rejectTakenEmail(insertUserBy(db, user, row)))) throw notAllowed();
  return userView(row);
}

/** Saves the caller's profile from the form of /account. */
export const updateProfile = operation({
  access: "customer",
  input: z.looseObject({}),
  form: profileForm(NOTHING_STORED),
  run: (context) => saveOwn(context, parseInput(profileForm(context.user), context.input)),
});

/**
 * PUT user/{id}: own accounts follow the rules of the profile form, others those of the admin form. The permission is
 * checked before the account and the input, so that a rejected caller learns about neither.
 *
 * @throws AppError forbidden (403), notFound (404), invalid (400), conflict (409) at `email`
 */
export const updateAccount = operation({
  route: "PUT user/:id",
  summary: "Change a user; missing fields stay",
  answer: User,
  body: staffChangesInput(""),
  errors: [409, 429],
  access: "customer",
  forbidsKeys: true,
  input: UserPathInput,
  run: editAccount,
});

/**
 * Edits an account from the page's form, which sends only ticked checkboxes.
 *
 * @throws AppError also conflict (409) when the account has changed since the form was opened
 */
export const updateAccountByForm = operation({
  access: "manager",
  input: RoleFlagsInput,
  form: editUserForm(""),
  run({ input: { boxes, was, ...fields }, ...context }) {
    const unticked = Object.fromEntries(boxes.map((name) => [name, false]));
    return editAccount({ ...context, input: { ...unticked, ...fields } }, was);
  },
});

type CustomerContext = RequestContext & { user: CurrentUser; input: Record<string, unknown> };

/** Changes an account by the rules for the caller's role. @param was values that the form was opened with; absent for the API */
function editAccount(context: CustomerContext & { input: { id: string } }, was?: DisplayedUser) {
  const { input, user } = context;
  return input.id === user.id ? updateSelf(context, was) : updateOther(context, input.id, was);
}

async function updateSelf(context: CustomerContext, was: DisplayedUser | undefined) {
  const { user } = context;
  const changes = parseInput(profileInput(user), context.input);
  if (typeof context.input.password === "string" && context.input.password !== "")
    throw fieldError("invalid", "password", "Change your own password with your current one");
  if (!maySetFlags(user, user, changes)) throw notAllowed();
  if (was) rejectStaleAccount(was, user, changes);
  // Both are unchanged; writing them could undo a simultaneous change by staff.
  const { isAdmin: _, isUser: __, ...rest } = changes;
  return saveOwn(context, rest, was);
}

async function updateOther(context: CustomerContext, id: string, was: DisplayedUser | undefined) {
  const { db, user } = context;
  if (!isManaging(user)) throw notAllowed();
  const target = await findUser(db, id);
  if (!target) throw noSuchUser();
  if (!mayManage(user, target)) throw notAllowed();
  const {
    password,
    confirmPassword: _,
    ...changes
  } = parseInput(staffChangesInput(target.phoneNumber), context.input);
  if (!maySetFlags(user, target, changes)) throw notAllowed();
  if (was) rejectStaleAccount(was, target, changes);
  const newPassword = password === undefined ? {} : { passwordHash: await hashPassword(password) };
  return saveAccount(context, {
    actor: user,
    target: withGuardedValues(target, was),
    changes,
    ...newPassword,
  });
}

/** Adds the values that must be unchanged when a form's edit is written. */
function withGuardedValues<Account extends DisplayedUser>(account: Account, was: DisplayedUser | undefined) {
  return { ...account, ...(was && { unchanged: EDITED_USER.pick(account) }) };
}

/**
 * Saves an edit of the own account. A new e-mail address requires the password: a session may be stolen.
 *
 * @param was values that the form was opened with; absent for the API
 * @throws AppError invalid (400) at `currentPassword`, rateLimited (429)
 */
async function saveOwn(
  context: CustomerContext,
  { currentPassword, ...changes }: SubmittedChanges & { currentPassword?: string | undefined },
  was?: DisplayedUser,
) {
  const { user } = context;
  const target = withGuardedValues(user, was);
  if (!isNewEmail(changes.email, user.email)) return saveAccount(context, { actor: user, target, changes });
  await enforce(passwordCheckLimit(context));
  const passwordHash = await requirePassword(context, currentPassword ?? "");
  return saveAccount(context, { actor: user, target: { ...target, passwordHash }, changes });
}

/**
 * Deletes an account with its sessions.
 *
 * @throws AppError notFound (404); forbidden (403) for admins, the own account, and managers if a manager calls
 */
export const deleteUser = operation({
  route: "DELETE user/:id",
  summary: "Delete a user",
  answer: MessageAnswer,
  errors: [409],
  access: "manager",
  forbidsKeys: true,
  input: UserPathInput,
  async run({ input, user, ...context }) {
    const { db } = context;
    const target = await findUser(db, input.id);
    if (!target) throw noSuchUser();
    if (!mayDelete(user, target)) throw notAllowed();
    const removed = await removeUser(db, { actor: user, target });
    if (!removed) throw await explainRejectedWrite(context, user, target, mayDelete);
    await endLiveConnections(context, target.id);
    return { message: "User deleted successfully" };
  },
});

/** Seconds after which an expired invitation is removed: until then its link says that it has expired. */
const INVITATION_GRACE_SECONDS = 7 * DAY_SECONDS;

/** Removes expired sessions, reset links and invitations. Runs nightly. */
export async function purgeExpired(env: Env): Promise<void> {
  const { db } = openDb(env.DB);
  await deleteExpiredSessionsAndResets(db, epochSeconds());
  await deleteExpiredInvitations(db, epochSeconds() - INVITATION_GRACE_SECONDS);
}

/** Updates the comparison keys of addresses stored under older rules. Runs nightly; a migration could not, as SQL has no IDNA. */
export async function renewEmailKeys(env: Env): Promise<void> {
  const { db } = openDb(env.DB);
  const outdated = (await findOutdatedKeys(db))
    .map(({ id, email, emailKey: oldKey }) => ({ id, oldKey, key: emailKey(email) }))
    .filter(({ oldKey, key }) => oldKey !== key);
  await replaceEmailKeys(db, outdated);
}
