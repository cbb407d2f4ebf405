import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { z } from "zod";
import { authorOf } from "~/db/audit";
import { runBatch } from "~/db/client.server";
import { localTo } from "~/domain/local-to";
import { SignedIn, User } from "~/features/accounts/answers";
import { emailTaken, newUser, rejectTakenEmail } from "~/features/accounts/new-user.server";
import { DUMMY_HASH, hashPassword, verifyPassword } from "~/features/accounts/passwords.server";
import { findUserByEmail, insertUser } from "~/features/accounts/queries.server";
import { type NewAccount, SignInInput, SignUpForm, SignUpInput } from "~/features/accounts/schema";
import { type UserView, userView } from "~/features/accounts/user-view.server";
import { attachVisitChats, dropAccountChats } from "~/features/chat/operations/access.server";
import {
  favouritesMerge,
  forgetVisitorFavourites,
  visitorFavouriteIds,
} from "~/features/favourites/store.server";
import { MessageAnswer } from "~/http/answers";
import { AppError } from "~/http/errors";
import { emailKey } from "~/http/fields";
import { type OperationContext, operation, type ResultOf } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { isStaff } from "~/session/caller.server";
import { endedSessionCookie } from "~/session/cookies.server";
import { firstPageOf } from "~/session/first-page";
import { endLiveConnections } from "~/session/live-connections.server";
import { deleteSession, findSessionUser, recordSignIn } from "~/session/queries.server";
import { newSession, sha256 } from "~/session/tokens.server";

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
  ahead: (context) => findAccount(context, context.input.email),
  async run({ ahead, ...context }) {
    const { input } = context;
    const { user, favourites } = await ahead;
    const matches = await verifyPassword(input.password, user?.passwordHash ?? DUMMY_HASH);
    if (!user || !matches) throw new AppError("wrongCredentials", "Invalid email or password");
    if (!user.isUser)
      throw new AppError("deactivated", "This account has been deactivated. Please contact us.");
    const former = await formerSession(context);
    const merged = await favouritesMerge(context, user.id, favourites);
    const { token, insert } = await newSession(context, user.id, input.rememberMe ?? false);
    const author = authorOf(user);
    const recordings = author.kind === "staff" ? [recordSignIn(context.db, author)] : [];
    await runBatch(context.db, [...former.deletion, insert, ...recordings, ...merged]);
    await forgetVisitorFavourites(context);
    await endLiveConnections(context, former.userId);
    await attachVisitChats(context, user);
    return { token, user: userView(user) };
  },
});

/** Finds the account of an address, and the favourites that it gets. */
async function findAccount(context: RequestContext, email: string) {
  const [user, favourites] = await Promise.all([
    findUserByEmail(context.db, emailKey(email)),
    visitorFavouriteIds(context),
  ]);
  return { user, favourites };
}

/**
 * Finds the browser's former session, which a new sign-in ends: its cookie is replaced, so nobody could sign out of it.
 *
 * @returns its user, and the statement that deletes it
 */
async function formerSession({ cookies, caller, db, now }: RequestContext) {
  if (!cookies.session) return { userId: undefined, deletion: [] };
  const tokenHash = await sha256(cookies.session);
  const isCallers = (await caller.tokenHash()) === tokenHash;
  const user = isCallers ? await caller.user() : (await findSessionUser(db, tokenHash, now))?.user;
  return { userId: user?.id, deletion: [deleteSession(db, tokenHash)] };
}

/**
 * Returns the page after sign-in: for staff `redirectTo` if it is a local page, else the first page of the back office; for
 * customers always the home page.
 */
export function landingPage(
  user: Pick<UserView, "id" | "isAdmin" | "isManager" | "isSeller">,
  redirectTo: unknown,
  { cookies }: Pick<RequestContext, "cookies">,
): string {
  if (!isStaff(user)) return "/";
  const to = localTo(redirectTo, "/admin");
  return to === "/admin" ? firstPageOf(user, cookies) : to;
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
    const deletions = [...hashes].flatMap((hash) => (hash ? [deleteSession(db, hash)] : []));
    await dropAccountChats(context, user?.id ?? null, deletions);
    await endLiveConnections(context, user?.id);
    headers.append("Set-Cookie", await endedSessionCookie(secure));
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
  ahead: (context) => findAccount(context, context.input.email),
  run: createAccount,
});

/** Creates an account from the page's form, which requires more fields. */
export const signUpByForm = operation({
  access: "anyone",
  input: SignUpForm,
  hidesCost: true,
  limits,
  ahead: (context) => findAccount(context, context.input.email),
  run: createAccount,
});

type Found = Awaited<ReturnType<typeof findAccount>>;

async function createAccount({
  ahead,
  ...context
}: OperationContext<"anyone", NewAccount> & { ahead: Promise<Found> }) {
  const { db, input, now } = context;
  const { user: known, favourites } = await ahead;
  if (known) throw emailTaken();
  const user = newUser({ ...input, phoneNumber: input.phone ?? "" }, await hashPassword(input.password), now);
  const former = await formerSession(context);
  const merged = await favouritesMerge(context, user.id, favourites);
  const { token, insert } = await newSession(context, user.id, false);
  await rejectTakenEmail(insertUser(db, user, [insert, ...former.deletion, ...merged]));
  await forgetVisitorFavourites(context);
  await endLiveConnections(context, former.userId);
  await attachVisitChats(context, user);
  return { token, user: userView(user) };
}
