import { z } from "zod";
import { endLiveConnections } from "~/features/chat/operations.server";
import { fieldError } from "~/http/errors";
import { isNewEmail } from "~/http/fields";
import { enforce, Listing, operation, parseInput } from "~/http/operation.server";
import { splitName } from "~/http/person-name";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "~/session/current-user";
import { hashPassword } from "../passwords.server";
import { findUser, findUsers, insertUserBy, removeUser } from "../queries.server";
import { mayDelete, mayManage, maySetFlags } from "../roles.server";
import {
  EditUserForm,
  NewUserForm,
  NewUserInput,
  profileForm,
  profileInput,
  StaffChangesInput,
  UserListInput,
  UserPathInput,
} from "../schema";
import { userView } from "../user-view.server";
import { type DisplayedUser, RoleFlagsInput } from "../users/schema";
import { rejectStaleEdit, shownOf } from "./edit-conflict.server";
import { guessLimit, requirePassword } from "./password.server";
import { noSuchUser, notAllowed, type SentChanges, saveAccount, whyNotWritten } from "./save.server";
import { newUser, rejectTakenEmail } from "./sign-up.server";

/** Every account, newest first. */
export const listUsers = operation({
  access: "staff",
  input: UserListInput,
  async run({ db, input }) {
    const { rows, total } = await findUsers(db, input);
    return new Listing(rows.map(userView), total);
  },
});

/**
 * Makes an account for somebody.
 *
 * @throws AppError forbidden (403) when a manager asks for a role, conflict (409) at `email`
 */
export const createUser = operation({
  access: "staff",
  input: NewUserInput,
  status: 201,
  async run({ db, input, user, now }) {
    const [firstName, lastName] = splitName(input.fullName);
    return makeAccount({ db, user, now }, { ...input, firstName, lastName });
  },
});

/** The same from the page, where first and last name are asked for apart. */
export const createUserByForm = operation({
  access: "staff",
  input: NewUserForm,
  status: 201,
  run: (context) => makeAccount(context, context.input),
});

type NewPerson = Parameters<typeof newUser>[0] & { password: string };

async function makeAccount(
  { db, user, now }: Pick<Signed, "db" | "user" | "now">,
  { password, ...person }: NewPerson,
) {
  if (!user.isAdmin && (person.isAdmin || person.isManager)) throw notAllowed();
  const row = newUser(person, await hashPassword(password), now);
  if (!(await rejectTakenEmail(insertUserBy(db, user, row)))) throw notAllowed();
  return userView(row);
}

/** The caller's own profile, from /account: the whole form. */
export const updateProfile = operation({
  access: "customer",
  input: z.looseObject({}),
  run: (context) => saveOwn(context, parseInput(profileForm(context.user.email), context.input)),
});

/**
 * PUT user/{id}: people edit themselves by the profile's rules, staff edit others by the admin form's.
 * A caller who may not learns nothing of what exists, nor whether the rest was right.
 *
 * @throws AppError forbidden (403), notFound (404), invalid (400), conflict (409) at `email`
 */
export const updateAccount = operation({
  access: "customer",
  input: UserPathInput,
  run: edit,
});

/**
 * The same from the page: of the form's checkboxes only those that are ticked are sent.
 *
 * @throws AppError also conflict (409), when somebody else has changed the account since the form was opened
 */
export const updateAccountByForm = operation({
  access: "staff",
  input: RoleFlagsInput,
  form: EditUserForm,
  run({ input: { boxes, was, ...fields }, ...context }) {
    const unticked = Object.fromEntries(boxes.map((name) => [name, false]));
    return edit({ ...context, input: { ...unticked, ...fields } }, was);
  },
});

type Signed = RequestContext & { user: CurrentUser; input: Record<string, unknown> };

/** @param was what the form showed, where a form asks */
function edit(context: Signed & { input: { id: string } }, was?: DisplayedUser) {
  const { input, user } = context;
  return input.id === user.id ? updateSelf(context, was) : updateOther(context, input.id, was);
}

async function updateSelf(context: Signed, was: DisplayedUser | undefined) {
  const { user } = context;
  const changes = parseInput(profileInput(user.email), context.input);
  if (typeof context.input.password === "string" && context.input.password !== "")
    throw fieldError("invalid", "password", "Change your own password with your current one");
  if (!maySetFlags(user, user, changes)) throw notAllowed();
  if (was) rejectStaleEdit(was, user, changes);
  // These two can only be as they are; written again, they could undo what staff change at this moment.
  const { isAdmin: _, isUser: __, ...rest } = changes;
  return saveOwn(context, rest, was);
}

async function updateOther(context: Signed, id: string, was: DisplayedUser | undefined) {
  const { db, user } = context;
  if (!user.isAdmin && !user.isManager) throw notAllowed();
  const target = await findUser(db, id);
  if (!target) throw noSuchUser();
  if (!mayManage(user, target)) throw notAllowed();
  const { password, confirmPassword: _, ...changes } = parseInput(StaffChangesInput, context.input);
  if (!maySetFlags(user, target, changes)) throw notAllowed();
  if (was) rejectStaleEdit(was, target, changes);
  const secret = password === undefined ? {} : { passwordHash: await hashPassword(password) };
  return saveAccount(context, { actor: user, read: seen(target, was), changes, ...secret });
}

/** An account as it was read; for a form, what the form shows of it must still be so when it is written. */
function seen<Account extends DisplayedUser>(account: Account, was: DisplayedUser | undefined) {
  return { ...account, ...(was && { seen: shownOf(account) }) };
}

/**
 * Saves an edit of one's own account. A new e-mail address asks for the password: a session may be stolen.
 *
 * @param was what the form showed, where a form asks
 * @throws AppError invalid (400) at `currentPassword`, rateLimited (429)
 */
async function saveOwn(
  context: Signed,
  { currentPassword, ...changes }: SentChanges & { currentPassword?: string | undefined },
  was?: DisplayedUser,
) {
  const { db, user } = context;
  const read = seen(user, was);
  if (!isNewEmail(changes.email, user.email)) return saveAccount(context, { actor: user, read, changes });
  await enforce(guessLimit(context));
  const { passwordHash } = await requirePassword(db, user.id, currentPassword ?? "");
  return saveAccount(context, { actor: user, read: { ...read, passwordHash }, changes });
}

/**
 * Deletes an account with its sessions.
 *
 * @throws AppError notFound (404), forbidden (403) for an admin's row, one's own, and a manager's by a manager
 */
export const deleteUser = operation({
  access: "staff",
  input: UserPathInput,
  async run({ input, user, ...context }) {
    const { db } = context;
    const target = await findUser(db, input.id);
    if (!target) throw noSuchUser();
    if (!mayDelete(user, target)) throw notAllowed();
    const removed = await removeUser(db, { actor: user, read: target });
    if (!removed) throw await whyNotWritten(context, user, target, mayDelete);
    await endLiveConnections(context, target.id);
    return { message: "User deleted successfully" };
  },
});
