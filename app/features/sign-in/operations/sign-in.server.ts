import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { z } from "zod";
import { localTo } from "~/domain/local-to";
import { SignedIn, User } from "~/features/accounts/answers";
import { emailTaken, newUser, rejectTakenEmail } from "~/features/accounts/new-user.server";
import { DUMMY_HASH, hashPassword, verifyPassword } from "~/features/accounts/passwords.server";
import { findUserByEmail, insertUser } from "~/features/accounts/queries.server";
import { type NewAccount, SignInInput, SignUpForm, SignUpInput } from "~/features/accounts/schema";
import { type UserView, userView } from "~/features/accounts/user-view.server";
import { attachVisitChats, dropAccountChats } from "~/features/chat/operations/access.server";
import { mergeFavourites } from "~/features/favourites/store.server";
import { MessageAnswer } from "~/http/answers";
import { AppError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { type OperationContext, operation, type ResultOf } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { endedSessionCookie } from "~/session/cookies.server";
import { endLiveConnections } from "~/session/live-connections.server";
import { deleteSession, findSessionUser } from "~/session/queries.server";
import { newSession, sha256, startSession } from "~/session/tokens.server";

/**
 * Signs in with e-mail and password. An unknown address takes as long as a wrong password, and only the right password
 * reveals that an account is deactivated.
 *
 * @throws AppError wrongCredentials (401), deactivated (403), rateLimited (429)
 */
export const signIn = operation({
  route: "POST auth/login",
  summary: "Sign in",
  answer: SignedIn,
  errors: [401, 403],
  access: "anyone",
  input: SignInInput,
  hidesCost: true,
  limits: ({ env, input, address }) => [
    { limiter: env.LIMIT_LOGIN_ADDRESS, key: address },
    { limiter: env.LIMIT_LOGIN_ACCOUNT, key: emailKey(input.email) },
  ],
  async run(context) {
    const { db, input } = context;
    const user = await findUserByEmail(db, emailKey(input.email));
    const matches = await verifyPassword(input.password, user?.passwordHash ?? DUMMY_HASH);
    if (!user || !matches) throw new AppError("wrongCredentials", "Invalid email or password");
    if (!user.isUser)
      throw new AppError("deactivated", "This account has been deactivated. Please contact us.");
    await endFormerSession(context);
    const token = await startSession(context, user, input.rememberMe ?? false);
    await attachVisitChats(context, user);
    await mergeFavourites(context, user.id);
    return { token, user: userView(user) };
  },
});

/** Ends the browser's former session on a new sign-in: its cookie is replaced, so nobody could sign out of it. */
async function endFormerSession(context: RequestContext): Promise<void> {
  const { cookies, db, now } = context;
  if (!cookies.session) return;
  const tokenHash = await sha256(cookies.session);
  const former = await findSessionUser(db, tokenHash, now);
  await deleteSession(db, tokenHash);
  await endLiveConnections(context, former?.id);
}

/**
 * Returns the page after sign-in: for staff `redirectTo` if it is local, else /admin; for customers always the home page.
 */
export function landingPage(user: Pick<UserView, "isAdmin" | "isManager">, redirectTo: unknown): string {
  return isStaff(user) ? localTo(redirectTo, "/admin") : "/";
}

/** Signs out: revokes the request's cookie and bearer tokens and removes the account's chats from the browser. */
export const signOut = operation({
  route: "POST auth/logout",
  summary: "Sign out",
  answer: MessageAnswer,
  access: "anyone",
  input: z.object({}),
  hidesCost: true,
  async run({ user, ...context }) {
    const { db, caller, cookies, headers, secure } = context;
    const byCookie = cookies.session ? await sha256(cookies.session) : null;
    const hashes = new Set([await caller.tokenHash(), byCookie]);
    await Promise.all([...hashes].map((hash) => hash && deleteSession(db, hash)));
    await endLiveConnections(context, user?.id);
    headers.append("Set-Cookie", await endedSessionCookie(secure));
    await dropAccountChats(context, user?.id ?? null);
    return { message: "You are signed out." };
  },
});

export const me = operation({
  route: "GET auth/me",
  summary: "Read the caller's account",
  answer: User,
  access: "customer",
  input: z.object({}),
  hidesCost: true,
  run: async ({ user }) => userView(user),
});

/** Sign-in operation of the page: remix-auth reads the form from `request`, whose body is unread. */
export function signInByForm(request: Request): typeof signIn {
  const copy = request.clone() as Request;
  return {
    ...signIn,
    execute(context) {
      const strategy = new FormStrategy(({ form }) => signIn.execute(context, Object.fromEntries(form)));
      return new Authenticator<ResultOf<typeof signIn>>().use(strategy).authenticate("form", copy);
    },
  };
}

const limits = ({ env, address }: RequestContext) => [{ limiter: env.LIMIT_SIGNUP_ADDRESS, key: address }];

/**
 * Creates a customer account and signs in.
 *
 * @throws AppError conflict (409) at `email` when it has an account, rateLimited (429)
 */
export const signUp = operation({
  route: "POST auth/signup",
  summary: "Create an account",
  answer: SignedIn,
  errors: [409],
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
