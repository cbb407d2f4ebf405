import { attachVisitChats } from "~/features/chat/operations/access.server";
import { mergeFavourites } from "~/features/favourites/store.server";
import { fieldError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { type OperationContext, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { newSession } from "~/session/tokens.server";
import { hashPassword } from "../passwords.server";
import { findUserByEmail, insertUser, isEmailTaken, type UserRow } from "../queries.server";
import { type NewAccount, SignUpForm, SignUpInput } from "../schema";
import { userView } from "../user-view.server";
import { endFormerSession } from "./sign-in.server";

const limits = ({ env, address }: RequestContext) => [{ limiter: env.LIMIT_SIGNUP_ADDRESS, key: address }];

/**
 * Creates a customer account and signs in.
 *
 * @throws AppError conflict (409) at `email` when it has an account, rateLimited (429)
 */
export const signUp = operation({
  access: "anyone",
  input: SignUpInput,
  hidesCost: true,
  status: 201,
  limits,
  run: createAccount,
});

/** Creates an account from the page's form, which requires more fields. */
export const signUpByForm = operation({
  access: "anyone",
  input: SignUpForm,
  hidesCost: true,
  status: 201,
  limits,
  run: createAccount,
});

async function createAccount(context: OperationContext<"anyone", NewAccount>) {
  const { db, input, now } = context;
  if (await findUserByEmail(db, emailKey(input.email))) throw emailTaken();
  const user = newUser({ ...input, phoneNumber: input.phone ?? "" }, await hashPassword(input.password), now);
  const { token, insert } = await newSession(context, user.id, false);
  await rejectTakenEmail(insertUser(db, user, insert));
  await endFormerSession(context);
  await attachVisitChats(context, user);
  await mergeFavourites(context, user.id);
  return { token, user: userView(user) };
}

/**
 * Builds the row of a new account.
 *
 * @param person username and role flags are optional
 * @param now epoch seconds
 */
export function newUser(
  person: Pick<UserRow, "firstName" | "lastName" | "email" | "phoneNumber"> & {
    username?: string | undefined;
    isAdmin?: boolean;
    isManager?: boolean;
  },
  passwordHash: string,
  now: number,
): UserRow {
  return {
    id: crypto.randomUUID(),
    email: person.email,
    emailKey: emailKey(person.email),
    firstName: person.firstName,
    lastName: person.lastName,
    username: person.username ?? "",
    phoneNumber: person.phoneNumber,
    photoUrl: "",
    passwordHash,
    isAdmin: person.isAdmin ?? false,
    isManager: person.isManager ?? false,
    isUser: true,
    createdAt: now,
    updatedAt: now,
  };
}

const emailTaken = () => fieldError("conflict", "email", "An account with this email already exists");

/**
 * Converts a unique constraint error on the e-mail address to an AppError.
 *
 * @throws AppError conflict (409) at `email`
 */
export async function rejectTakenEmail<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isEmailTaken(error) ? emailTaken() : error;
  }
}
