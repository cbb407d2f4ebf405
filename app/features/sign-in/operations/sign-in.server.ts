import { Authenticator } from "remix-auth";
import { FormStrategy } from "remix-auth-form";
import { z } from "zod";
import { authorOf } from "~/db/audit";
import { runBatch } from "~/db/client.server";
import { localTo } from "~/domain/local-to";
import { SignedIn, User } from "~/features/accounts/answers";
import {
  type AccountWithFactor,
  findByEmailWithFactor,
  findByIdWithFactor,
} from "~/features/accounts/factor/queries.server";
import { FactorCodeForm } from "~/features/accounts/factor/schema";
import { requireCode } from "~/features/accounts/factor/verify.server";
import { emailTaken, newUser, rejectTakenEmail } from "~/features/accounts/new-user.server";
import { DUMMY_HASH, hashPassword, verifyPassword } from "~/features/accounts/passwords.server";
import { findUserByEmail, insertUser, type UserRow } from "~/features/accounts/queries.server";
import {
  type NewAccount,
  SignInCallInput,
  SignInInput,
  SignUpForm,
  SignUpInput,
} from "~/features/accounts/schema";
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
import { endedSessionCookie, sealedCookie } from "~/session/cookies.server";
import { firstPageOf } from "~/session/first-page";
import { endLiveConnections } from "~/session/live-connections.server";
import { deleteSession, findSessionUser, recordSignIn } from "~/session/queries.server";
import { endStep, keepStep, readStep } from "~/session/steps.server";
import { newSession, sha256 } from "~/session/tokens.server";

const signInLimits = ({ env, input, address }: RequestContext & { input: { email: string } }) => [
  { limiter: env.LIMIT_LOGIN_ADDRESS, key: address },
  { limiter: env.LIMIT_LOGIN_ACCOUNT, key: emailKey(input.email) },
];

/**
 * Signs in with e-mail and password, and with the code of an account that has a second factor. An unknown address takes as
 * long as a wrong password, and only the right password reveals that an account is deactivated or wants a code.
 *
 * @throws AppError wrongCredentials (401), also at `code` where it is missing; invalid (400) at `code` for a wrong one;
 * deactivated (403), rateLimited (429)
 */
export const signIn = operation({
  route: "POST auth/login",
  summary: "Sign in",
  answer: SignedIn,
  errors: [401, 403],
  access: "anyone",
  input: SignInCallInput,
  hidesCost: true,
  limits: signInLimits,
  ahead: (context) => findSignIn(context, context.input.email),
  async run({ ahead, ...context }) {
    const { input } = context;
    const found = await ahead;
    const { user, hasFactor } = await requireAccount(input.password, found.account);
    if (hasFactor && input.code === undefined) throw codeNeeded();
    if (hasFactor) await requireCode(context, user, input.code ?? "");
    return startSession(context, user, found.favourites, input.rememberMe ?? false);
  },
});

const codeNeeded = () => {
  const message = "This account has a second factor. Send its code, or a recovery code, as code.";
  return new AppError("wrongCredentials", message, {
    details: [{ path: "code", message }],
    isPublic: true,
  });
};

/** Sign-in of the page: an account with a second factor is asked for its code on the next one. */
const signInByPage = operation({
  access: "anyone",
  input: SignInInput,
  hidesCost: true,
  limits: signInLimits,
  ahead: (context) => findSignIn(context, context.input.email),
  async run({ ahead, ...context }) {
    const { password, rememberMe = false } = context.input;
    const found = await ahead;
    const { user, hasFactor } = await requireAccount(password, found.account);
    if (!hasFactor) return startSession(context, user, found.favourites, rememberMe);
    await keepStep(context, "signIn", {
      userId: user.id,
      remembered: rememberMe,
      mark: await sha256(user.passwordHash),
    });
    return null;
  },
});

/**
 * Second page of a sign-in: the code of an account whose password was given.
 *
 * @throws AppError wrongCredentials (401) after the step has ended, invalid (400) at `code`, rateLimited (429)
 */
export const confirmSignIn = operation({
  access: "anyone",
  input: FactorCodeForm,
  hidesCost: true,
  limits: ({ env, address }) => [{ limiter: env.LIMIT_LOGIN_ADDRESS, key: address }],
  async run(context) {
    const step = await readStep(context, "signIn");
    const [account, favourites] = await Promise.all([
      step && findByIdWithFactor(context.db, step.userId),
      visitorFavouriteIds(context),
    ]);
    const isSame = account && step && (await sha256(account.user.passwordHash)) === step.mark;
    if (!isSame || !account.user.isUser) throw stepEnded();
    if (account.hasFactor) await requireCode(context, account.user, context.input.code);
    await endStep(context);
    return startSession(context, account.user, favourites, step.remembered);
  },
});

const stepEnded = () =>
  new AppError("wrongCredentials", "This took too long. Please sign in with your password again.");

/** Tells whether the browser has given a password and is to give a code. */
export const awaitsCode = async (context: RequestContext): Promise<boolean> =>
  (await readStep(context, "signIn")) !== null;

/** Checks the password of an account. @throws AppError wrongCredentials (401), deactivated (403) */
async function requireAccount(
  password: string,
  account: AccountWithFactor | null,
): Promise<AccountWithFactor> {
  const matches = await verifyPassword(password, account?.user.passwordHash ?? DUMMY_HASH);
  if (!account || !matches) throw new AppError("wrongCredentials", "Invalid email or password");
  if (!account.user.isUser)
    throw new AppError("deactivated", "This account has been deactivated. Please contact us.");
  return account;
}

/** Begins a session in place of the browser's former one. */
async function startSession(
  context: RequestContext,
  user: UserRow,
  favourites: Awaited<ReturnType<typeof visitorFavouriteIds>>,
  isRemembered: boolean,
) {
  const former = await formerSession(context);
  const merged = await favouritesMerge(context, user.id, favourites);
  const { token, insert } = await newSession(context, user.id, isRemembered);
  const author = authorOf(user);
  const recordings = author.kind === "staff" ? [recordSignIn(context.db, author)] : [];
  await runBatch(context.db, [...former.deletion, insert, ...recordings, ...merged]);
  await forgetVisitorFavourites(context);
  await endLiveConnections(context, former.userId);
  await attachVisitChats(context, user);
  return { token, user: userView(user) };
}

/** Finds the account that signs in, and the favourites that it gets. */
async function findSignIn(context: RequestContext, email: string) {
  const [account, favourites] = await Promise.all([
    findByEmailWithFactor(context.db, emailKey(email)),
    visitorFavouriteIds(context),
  ]);
  return { account, favourites };
}

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
    if (cookies.waits) headers.append("Set-Cookie", await sealedCookie("waits", null, 0, secure));
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
export function signInByForm(request: Request): typeof signInByPage {
  const copy = request.clone() as Request;
  return {
    ...signInByPage,
    execute(context) {
      const strategy = new FormStrategy(({ form }) =>
        signInByPage.execute(context, Object.fromEntries(form)),
      );
      return new Authenticator<ResultOf<typeof signInByPage>>().use(strategy).authenticate("form", copy);
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
