import type { Db } from "~/db/client.server";
import type { AccountRef } from "~/db/schema";
import type { StaffRole } from "~/domain/staff-role";
import { AppError } from "~/http/errors";
import { accountOfSession, findKeyCaller, findSessionUser } from "./queries.server";
import { sha256 } from "./tokens.server";

/** Caller of a request, read from D1 on first use and at most once. */
export interface Caller {
  /** Signed-in user, or the owner of the API key; null for visitors, ended sessions and deactivated accounts. */
  user(): Promise<CurrentUser | null>;
  /** The same once it has been read, undefined before. */
  knownUser(): CurrentUser | null | undefined;
  /**
   * Account for reads that are sent together with that of the user: an expression, or an id; null for visitors. What they
   * find is the caller's only if there is a user, since the session may have ended.
   */
  account(): Promise<AccountRef | null>;
  /** SHA-256 (hex) of the session's token, or null. */
  tokenHash(): Promise<string | null>;
  /** Stored hash of the signed-in user's password; null for nobody and for the owner of a key. */
  passwordHash(): Promise<string | null>;
  /** API key that the request came with, or null. */
  key(): Promise<ApiKey | "invalid" | null>;
}

/** API key of a member of staff (docs/decisions/0032-api-keys.md). */
export interface ApiKey {
  id: string;
  name: string;
  scope: "read" | "write";
  /** Epoch seconds, an hour behind at most; null for an unused one. */
  lastUsedAt: number | null;
}

export interface KeyCaller {
  key: ApiKey;
  user: CurrentUser;
}

/** Beginning of every API key, by which scanners of source code recognise one. */
export const KEY_PREFIX = "emp_";
const KEY = /^emp_[\w-]{32}$/;

/**
 * Returns the API key of a call below /api, well-formed or not; null for a call without one. Nothing else identifies the
 * caller then: a page of another site cannot make a browser send the header.
 */
export function apiKeyOf(request: Request, url: URL): string | null {
  if (!isApi(url)) return null;
  return /^Bearer\s+(emp_\S*)$/i.exec(request.headers.get("Authorization") ?? "")?.[1] ?? null;
}

const isApi = ({ pathname }: URL) => /^\/api\//i.test(pathname);

/** Refuses a call whose URL contains an API key, since URLs end up in logs. @throws AppError invalid (400) */
export function rejectKeyInUrl(url: URL): void {
  if (!isApi(url)) return;
  const parts = [...[...url.searchParams].flat(), ...url.pathname.split("/")];
  if (parts.some((part) => KEY.test(part.replace(/^Bearer\s+/i, ""))))
    throw new AppError(
      "invalid",
      "Send the API key as Authorization: Bearer, never in the URL. Revoke this one: URLs end up in logs.",
    );
}

/** Identifies the caller by `Authorization: Bearer {token}`, else by the session cookie. @param now epoch seconds */
export function identifyCaller(from: {
  request: Request;
  url: URL;
  db: Db;
  now: number;
  sessionToken: string | null;
}): Caller {
  const apiKey = apiKeyOf(from.request, from.url);
  const bearer = /^Bearer\s+([\w-]{20,100})$/i.exec(from.request.headers.get("Authorization") ?? "")?.[1];
  const token = apiKey === null ? (bearer ?? from.sessionToken) : null;
  const hash = memo(async () => (token ? sha256(token) : null));
  const keyCaller = memo(async () => {
    if (apiKey === null) return null;
    const found = KEY.test(apiKey) ? await findKeyCaller(from.db, await sha256(apiKey)) : null;
    return found ?? ({ key: "invalid", user: null } as const);
  });
  const sessionCaller = memo(async () => {
    const tokenHash = await hash();
    return tokenHash ? findSessionUser(from.db, tokenHash, from.now) : null;
  });
  let known: CurrentUser | null | undefined;
  const user = memo(async () => {
    known = (await (apiKey === null ? sessionCaller() : keyCaller()))?.user ?? null;
    return known;
  });
  return {
    user,
    knownUser: () => known,
    account: async () => {
      const tokenHash = await hash();
      return tokenHash ? accountOfSession(tokenHash) : ((await keyCaller())?.user?.id ?? null);
    },
    tokenHash: hash,
    passwordHash: async () => (await sessionCaller())?.passwordHash ?? null,
    key: async () => (await keyCaller())?.key ?? null,
  };
}

function memo<T>(load: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= load();
    return result;
  };
}

export interface CurrentUser {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  photoUrl: string;
  isAdmin: boolean;
  isManager: boolean;
  isSeller: boolean;
  isUser: boolean;
  /** Epoch seconds. */
  createdAt: number;
  /** Signs in with a code as well; of staff alone. */
  hasFactor?: boolean;
  /** Has to set up a second factor before the account counts as staff's. */
  owesFactor?: boolean;
}

/** Flags of those who work in the shop. */
export type StaffFlags = Pick<CurrentUser, "isAdmin" | "isManager" | "isSeller" | "owesFactor">;

/** Recognises those who have a role, even while they may not use it. */
export const hasRole = ({ isAdmin, isManager, isSeller }: StaffFlags): boolean =>
  isAdmin || isManager || isSeller;

export const isStaff = (user: StaffFlags | null): boolean =>
  user !== null && hasRole(user) && user.owesFactor !== true;

/** Recognises admins and managers, who see the books; sellers do not. */
export const isManaging = (user: Pick<StaffFlags, "isAdmin" | "isManager" | "owesFactor"> | null): boolean =>
  user !== null && (user.isAdmin || user.isManager) && user.owesFactor !== true;

/** Names the highest role of a member of staff. */
export function staffRole({ isAdmin, isManager }: Pick<StaffFlags, "isAdmin" | "isManager">): StaffRole {
  if (isAdmin) return "admin";
  return isManager ? "manager" : "seller";
}

export const fullName = (user: Pick<CurrentUser, "firstName" | "lastName">): string =>
  `${user.firstName} ${user.lastName}`.trim();
