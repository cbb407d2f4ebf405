import type { Db } from "~/db/client.server";
import type { CurrentUser } from "./current-user";
import { findSessionUser } from "./queries.server";
import { sha256 } from "./token.server";

/** Who is calling: asked of D1 once a request, and only if somebody wants to know. */
export interface Caller {
  /** The signed-in user; null for a stranger, an ended session and a deactivated account. */
  user(): Promise<CurrentUser | null>;
  /** SHA-256 (hex) of the token the request came with, or null. */
  tokenHash(): Promise<string | null>;
}

/**
 * Finds who is calling: `Authorization: Bearer {token}` where there is one, else the session cookie.
 *
 * @param request carries the header
 * @param sessionToken from the session cookie
 * @param now epoch seconds
 */
export function callerOf(from: {
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

function memo<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
