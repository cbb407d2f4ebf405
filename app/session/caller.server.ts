import type { Db } from "~/db/client.server";
import { findSessionUser } from "./queries.server";
import { sha256 } from "./tokens.server";

/** Caller of a request, read from D1 on first use and at most once. */
export interface Caller {
  /** Signed-in user; null for visitors, ended sessions and deactivated accounts. */
  user(): Promise<CurrentUser | null>;
  /** SHA-256 (hex) of the token the request came with, or null. */
  tokenHash(): Promise<string | null>;
}

/** Identifies the caller by `Authorization: Bearer {token}`, else by the session cookie. @param now epoch seconds */
export function identifyCaller(from: {
  request: Request;
  db: Db;
  now: number;
  sessionToken: string | null;
}): Caller {
  const bearer = /^Bearer\s+([\w-]{20,100})$/i.exec(from.request.headers.get("Authorization") ?? "")?.[1];
  const token = bearer ?? from.sessionToken;
  const hash = memo(async () => (token ? sha256(token) : null));
  const user = memo(async () => {
    const tokenHash = await hash();
    return tokenHash ? findSessionUser(from.db, tokenHash, from.now) : null;
  });
  return { user, tokenHash: hash };
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
  isUser: boolean;
  /** Epoch seconds. */
  createdAt: number;
}

export const isStaff = (user: CurrentUser | null): boolean =>
  user !== null && (user.isAdmin || user.isManager);

export const fullName = (user: Pick<CurrentUser, "firstName" | "lastName">): string =>
  `${user.firstName} ${user.lastName}`.trim();
