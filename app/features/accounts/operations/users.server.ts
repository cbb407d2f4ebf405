import { endLiveConnections } from "~/features/chat/operations.server";
import { Listing } from "~/http/api-route.server";
import { AppError, fieldError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { operation, parseInput } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import type { CurrentUser } from "~/session/current-user";
import { deleteSessionsOf } from "~/session/queries.server";
import { hashPassword } from "../passwords.server";
import {
  findUser,
  findUsers,
  insertUser,
  removeUser,
  type UserChanges,
  type UserRow,
  updateUser,
  voidResetsOf,
} from "../queries.server";
import { type Flags, mayDelete, mayManage, maySetFlags } from "../roles.server";
import {
  EditUserForm,
  NewUserForm,
  NewUserInput,
  ProfileForm,
  ProfileInput,
  type StaffChanges,
  StaffChangesInput,
  UserListInput,
  UserPathInput,
} from "../schema";
import { userView } from "../user-view.server";
import { BoxesInput, type ShownUser } from "../users/schema";
import { refuseStale, shownOf } from "./meanwhile.server";
import { newUser, refusingTakenEmail } from "./sign-up.server";

const notAllowed = () => new AppError("forbidden", "You don't have permission to do this.");
const noSuchUser = () => new AppError("notFound", "User not found");

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
    const [firstName = "", ...rest] = input.fullName.split(/\s+/);
    return makeAccount({ db, user, now }, { ...input, firstName, lastName: rest.join(" ") });
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
  await refusingTakenEmail(insertUser(db, row));
  return userView(row);
}

/** The caller's own profile, from /account: the whole form. */
export const updateProfile = operation({
  access: "customer",
  input: ProfileForm,
  run: (context) => saveProfile(context, context.user, context.input),
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
  input: BoxesInput,
  form: EditUserForm,
  run({ input: { boxes, was, ...fields }, ...context }) {
    const unticked = Object.fromEntries(boxes.map((name) => [name, false]));
    return edit({ ...context, input: { ...unticked, ...fields } }, was);
  },
});

type Signed = RequestContext & { user: CurrentUser; input: Record<string, unknown> };

/** @param was what the form showed, where a form asks */
function edit(context: Signed & { input: { id: string } }, was?: ShownUser) {
  const { input, user } = context;
  return input.id === user.id ? updateSelf(context, was) : updateOther(context, input.id, was);
}

async function updateSelf(context: Signed, was: ShownUser | undefined) {
  const { user } = context;
  const changes = parseInput(ProfileInput, context.input);
  if (typeof context.input.password === "string" && context.input.password !== "")
    throw fieldError("invalid", "password", "Change your own password with your current one");
  if (!maySetFlags(user, user, changes)) throw notAllowed();
  if (was) refuseStale(was, user, changes);
  // These two can only be as they are; written again, they could undo what staff change at this moment.
  const { isAdmin: _, isUser: __, ...rest } = changes;
  return saveProfile(context, seen(user, was), rest);
}

async function updateOther(context: Signed, id: string, was: ShownUser | undefined) {
  const { db, user } = context;
  if (!user.isAdmin && !user.isManager) throw notAllowed();
  const target = await findUser(db, id);
  if (!target) throw noSuchUser();
  if (!mayManage(user, target)) throw notAllowed();
  const { password, confirmPassword: _, ...changes } = parseInput(StaffChangesInput, context.input);
  if (!maySetFlags(user, target, changes)) throw notAllowed();
  if (was) refuseStale(was, target, changes);
  return saveOther(context, seen(target, was), changes, password);
}

/** An account as it was read; for a form, what the form shows of it must still be so when it is written. */
function seen<Account extends ShownUser>(account: Account, was: ShownUser | undefined) {
  return { ...account, ...(was && { seen: shownOf(account) }) };
}

async function saveOther(
  context: RequestContext,
  target: UserRow & { seen?: ShownUser },
  changes: Omit<StaffChanges, "password" | "confirmPassword">,
  password: string | undefined,
) {
  const { db, now } = context;
  const secret = password === undefined ? {} : { passwordHash: await hashPassword(password) };
  // Switched off, an account is signed out for good: switched on again, its old sessions stay ended.
  const isOver = password !== undefined || changes.isUser === false;
  const ended = [
    ...(isOver ? [deleteSessionsOf(db, target.id)] : []),
    ...(password === undefined ? [] : [voidResetsOf(db, target.id, now)]),
  ];
  const saved = await refusingTakenEmail(
    updateUser(db, target, { ...storedChanges(changes, now), ...secret }, [
      ...ended,
      ...movedAddress(db, target, changes, now),
    ]),
  );
  if (!saved) throw changedMeanwhile();
  await endLiveConnections(context, target.id);
  return userView(saved);
}

async function saveProfile(
  { db, now }: RequestContext,
  user: CurrentUser & { seen?: ShownUser },
  changes: Partial<UserChanges> & Flags,
) {
  const saved = await refusingTakenEmail(
    updateUser(db, user, storedChanges(changes, now), movedAddress(db, user, changes, now)),
  );
  if (!saved) throw changedMeanwhile();
  return userView(saved);
}

const changedMeanwhile = () => new AppError("conflict", "The account has just changed. Please try again.");

/** What an edit writes: what was sent, and what follows from it. */
function storedChanges(changes: Partial<UserChanges>, now: number): UserChanges {
  const known = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...known, ...(changes.email && { emailKey: emailKey(changes.email) }), updatedAt: now };
}

/** A link that went to the address before must not open the account any more. */
function movedAddress(
  db: RequestContext["db"],
  before: Pick<CurrentUser, "id" | "email">,
  { email }: Partial<UserChanges>,
  now: number,
) {
  return email && emailKey(email) !== emailKey(before.email) ? [voidResetsOf(db, before.id, now)] : [];
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
    if (!(await removeUser(db, target))) throw changedMeanwhile();
    await endLiveConnections(context, target.id);
    return { message: "User deleted successfully" };
  },
});
