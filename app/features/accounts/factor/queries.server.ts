import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { type Author, INSERTED, recorded } from "~/db/audit";
import type { Db } from "~/db/client.server";
import { HAS_FACTOR } from "~/db/factors";
import { recoveryCodes, secondFactors, sessions, users } from "~/db/schema";
import type { UserRow } from "../queries.server";

/** Wrong codes in a row after which none is taken for a while. */
export const MAX_FAILURES = 20;
/** Seconds for which none is taken then. */
export const LOCK_SECONDS = 3600;

/** Account, with whether it signs in with a code as well. */
export interface AccountWithFactor {
  user: UserRow;
  hasFactor: boolean;
}

const findAccountBy = async (db: Db, where: SQL): Promise<AccountWithFactor | null> => {
  const rows = await db.select({ user: users, hasFactor: HAS_FACTOR }).from(users).where(where).limit(1);
  const [row] = rows;
  return row ? { user: row.user, hasFactor: row.hasFactor } : null;
};

/** Finds the account of an address. @param emailKey as emailKey() makes it */
export const findByEmailWithFactor = (db: Db, emailKey: string): Promise<AccountWithFactor | null> =>
  findAccountBy(db, eq(users.emailKey, emailKey));

export const findByIdWithFactor = (db: Db, id: string): Promise<AccountWithFactor | null> =>
  findAccountBy(db, eq(users.id, id));

/** State of a second factor. */
export interface FactorState {
  /** Epoch seconds. */
  createdAt: number;
  codesLeft: number;
}

export async function findFactor(db: Db, userId: string): Promise<FactorState | null> {
  const [row] = await db.all<FactorState>(sql`SELECT created_at AS createdAt,
    (SELECT count(*) FROM recovery_codes WHERE user_id = second_factors.user_id) AS codesLeft
    FROM second_factors WHERE user_id = ${userId}`);
  return row ?? null;
}

/** Attempt to give a code. */
export interface FactorAttempt {
  secret: string;
  lastStep: number;
  failures: number;
}

/**
 * Counts an attempt before its code is compared, so that attempts at once count each.
 *
 * @param now epoch seconds
 * @returns the sealed secret; null without a second factor, and while no code is taken
 */
export async function countAttempt(db: Db, userId: string, now: number): Promise<FactorAttempt | null> {
  const [row] = await db.all<FactorAttempt>(sql`UPDATE second_factors
    SET failures = iif(failures >= ${MAX_FAILURES}, 1, failures + 1), failed_at = ${now}
    WHERE user_id = ${userId} AND (failures < ${MAX_FAILURES} OR failed_at <= ${now - LOCK_SECONDS})
    RETURNING secret, last_step AS lastStep, failures`);
  return row ?? null;
}

/** Takes back the count of an attempt that could not be compared. @param secret sealed */
export async function uncountAttempt(db: Db, userId: string, secret: string): Promise<void> {
  await db.run(sql`UPDATE second_factors SET failures = max(failures - 1, 0)
    WHERE user_id = ${userId} AND secret = ${secret}`);
}

/**
 * Uses the code of a step.
 *
 * @param secret sealed
 * @param resealed takes its place
 * @returns false for a step that is not after the last used one
 */
export async function spendStep(
  db: Db,
  userId: string,
  secret: string,
  step: number,
  resealed: string,
): Promise<boolean> {
  const rows =
    await db.all(sql`UPDATE second_factors SET last_step = ${step}, failures = 0, secret = ${resealed}
    WHERE user_id = ${userId} AND secret = ${secret} AND last_step < ${step} RETURNING user_id`);
  return rows.length > 0;
}

/** Uses a recovery code. @returns false for one that does not exist any more */
export async function spendRecoveryCode(
  db: Db,
  userId: string,
  codeHash: string,
  author: Author,
): Promise<boolean> {
  const isIts = sql`user_id = ${userId} AND code_hash = ${codeHash}`;
  const [, rows] = await db.batch([
    recorded(
      db,
      {
        object: "user",
        action: "recoveryCodeUsed",
        id: userId,
        changes: {},
        rows: sql`FROM recovery_codes WHERE ${isIts}`,
      },
      author,
    ),
    db.delete(recoveryCodes).where(isIts).returning({ userId: recoveryCodes.userId }),
  ]);
  return rows.length > 0;
}

/** Records that no code of an account is taken for a while. */
export async function recordLock(db: Db, userId: string, author: Author): Promise<void> {
  await db.batch([recorded(db, { object: "user", action: "factorLocked", id: userId, changes: {} }, author)]);
}

const insertCodes = (db: Db, userId: string, hashes: string[], where: SQL) =>
  db
    .insert(recoveryCodes)
    .select(sql`SELECT ${userId}, value FROM json_each(${JSON.stringify(hashes)}) WHERE ${where}`);

/**
 * Turns a second factor on with its recovery codes, and ends the other sessions of the account.
 *
 * @param row its secret is sealed
 * @param codeHashes of the recovery codes
 * @param tokenHash session that continues
 * @returns false when the account has one already
 */
export async function insertFactor(
  db: Db,
  row: Pick<typeof secondFactors.$inferSelect, "userId" | "secret" | "lastStep" | "createdAt">,
  codeHashes: string[],
  tokenHash: string | null,
): Promise<boolean> {
  const { userId, secret } = row;
  const isStored = sql`EXISTS (SELECT 1 FROM second_factors WHERE user_id = ${userId} AND secret = ${secret})`;
  const owner = sql`(SELECT user_id FROM second_factors WHERE user_id = ${userId} AND secret = ${secret})`;
  const [stored] = await db.batch([
    db.insert(secondFactors).values(row).onConflictDoNothing().returning({ userId: secondFactors.userId }),
    recorded(db, {
      object: "user",
      action: "factorTurnedOn",
      id: userId,
      changes: {},
      rows: sql`WHERE ${INSERTED}`,
    }),
    insertCodes(db, userId, codeHashes, isStored),
    db
      .delete(sessions)
      .where(and(eq(sessions.userId, owner), tokenHash ? ne(sessions.tokenHash, tokenHash) : undefined)),
  ]);
  return stored.length > 0;
}

/** Replaces the recovery codes of an account. @returns false without a second factor */
export async function replaceCodes(db: Db, userId: string, codeHashes: string[]): Promise<boolean> {
  const isOn = sql`EXISTS (SELECT 1 FROM second_factors WHERE user_id = ${userId})`;
  const [, , , rows] = await db.batch([
    recorded(db, {
      object: "user",
      action: "recoveryCodesMade",
      id: userId,
      changes: {},
      rows: sql`WHERE ${isOn}`,
    }),
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    insertCodes(db, userId, codeHashes, isOn),
    db.select({ userId: secondFactors.userId }).from(secondFactors).where(eq(secondFactors.userId, userId)),
  ]);
  return rows.length > 0;
}

/** Turns the second factor of an account off. @returns false without one */
export async function deleteFactor(db: Db, userId: string): Promise<boolean> {
  const [, rows] = await db.batch([
    recorded(db, {
      object: "user",
      action: "factorTurnedOff",
      id: userId,
      changes: {},
      rows: sql`FROM second_factors WHERE user_id = ${userId}`,
    }),
    db
      .delete(secondFactors)
      .where(eq(secondFactors.userId, userId))
      .returning({ userId: secondFactors.userId }),
  ]);
  return rows.length > 0;
}

/**
 * Resets the second factor of a colleague and ends their sessions, unless the actor is no admin any more.
 *
 * @returns false without one
 */
export async function resetFactorBy(db: Db, actorId: string, userId: string): Promise<boolean> {
  const isPermitted = sql`user_id = ${userId}
    AND EXISTS (SELECT 1 FROM users AS actor WHERE actor.id = ${actorId} AND actor.is_admin = 1 AND actor.is_user = 1)`;
  const owner = sql`(SELECT user_id FROM second_factors WHERE ${isPermitted})`;
  const [, , rows] = await db.batch([
    recorded(db, {
      object: "user",
      action: "factorReset",
      id: userId,
      changes: {},
      rows: sql`FROM second_factors WHERE ${isPermitted}`,
    }),
    db.delete(sessions).where(eq(sessions.userId, owner)),
    db.delete(secondFactors).where(isPermitted).returning({ userId: secondFactors.userId }),
  ]);
  return rows.length > 0;
}
