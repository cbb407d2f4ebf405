import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import { restockRequests } from "~/db/schema";
import { UNIT_AVAILABLE } from "~/db/stock";
import { DAY_SECONDS } from "~/domain/durations";
import { UNCONFIRMED_SECONDS, WAITING_SECONDS } from "./schema";

type RequestRow = typeof restockRequests.$inferSelect;

/** Lifetime of a request after its message. */
const NOTIFIED_SECONDS = 30 * DAY_SECONDS;
/** Time for which an address whose owner has ended its mails is asked for no confirmation. */
const STOPPED_SECONDS = 90 * DAY_SECONDS;

/** Units that one address or browser waits for, those among them that are not confirmed, and mails that ask to confirm one. */
export const MAX_REQUESTS = 20;
const MAX_UNCONFIRMED = 5;
const MAX_CONFIRMATIONS = 3;
/** Mails without an answer that ask one address in a day to confirm something. */
const MAX_UNANSWERED = 3;

/** Request of a person for a unit. */
export type NewRequest = Pick<
  RequestRow,
  "id" | "productId" | "email" | "party" | "userId" | "p256dh" | "auth" | "publicKey"
> & {
  /** Id of the unit, or its choice in words. */
  unitId: string | null;
  choice: string;
  now: number;
};

/** Stored request. */
export interface StoredRequest {
  id: string;
  seq: number;
  unitId: string;
  /** It was not there before. */
  isNew: boolean;
  /** Name of the product, and JSON of the unit's value of each option. */
  name: string;
  values: string;
  /** It is confirmed, by the account that asks or for nobody's account. */
  isKnown: boolean;
  /** A mail that asks to confirm it may be sent. */
  mayMail: boolean;
}

/** Length of the hash of an address with which the ids of its requests begin. */
const OWNER_LENGTH = 64;

/** Reads the hash of the address from a request's id; it is also the id of the row that keeps the end of its mails. */
const ownerOf = (id: string): string => id.slice(0, OWNER_LENGTH);

/** Condition of the requests of the address that an id belongs to, whether its own row is still there or not. */
const isOfOwner = (id: string): SQL =>
  sql`r.id IN (SELECT id FROM restock_requests WHERE id = ${id} OR (id > ${ownerOf(id)} AND id < ${`${ownerOf(id)}~`}))`;

/** Condition of the unit that a request names, in `units`: by its id or choice; a product without options has one. */
const isNamed = ({ productId, unitId, choice }: NewRequest): SQL =>
  sql`units.product_id = ${productId} AND CASE WHEN ${unitId} IS NOT NULL THEN units.id = ${unitId}
    WHEN units.option_values = '[]' THEN 1
    ELSE (SELECT group_concat(value, ' / ') FROM json_each(units.option_values)) = ${choice} END`;

/** Condition that a person has fewer open requests for other units than `max`. */
const hasFewer = (party: string, condition: string, max: number): SQL =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM restock_requests AS other
    WHERE other.party = ${party} AND other.unit_id <> units.id AND ${sql.raw(condition)} LIMIT ${max})) < ${max}`;

/** Id of the row, of no unit, that counts for a day the mails which an address has not answered. */
const mailsOf = (id: string): string => `${ownerOf(id)}~`;

/** Counts the mail that follows from the request which the statement before has stored, unless it is confirmed or was mailed enough. */
const countedMail = (request: NewRequest): SQL =>
  sql`INSERT INTO restock_requests (id, product_id, unit_id, party, p256dh, created_at, expires_at, attempts)
    SELECT ${mailsOf(request.id)}, '', '', ${mailsOf(request.id)}, 'mailed', ${request.now}, ${request.now + DAY_SECONDS}, 1
    FROM restock_requests AS r CROSS JOIN units ON units.id = r.unit_id
    WHERE changes() > 0 AND r.party = ${request.party} AND ${isNamed(request)} AND r.confirmed_at IS NULL
      AND r.attempts <= ${MAX_CONFIRMATIONS}
    ON CONFLICT (id) DO UPDATE SET attempts = iif(expires_at > ${request.now}, attempts, 0) + 1,
      expires_at = iif(expires_at > ${request.now}, expires_at, excluded.expires_at)`;

/**
 * Stores a request for a unit that is sold out at the end of the line; one that stands in it keeps its place. A browser's is
 * confirmed, and that of an account for its own address which is proven.
 *
 * @returns null where nothing was stored: no such unit, one that can be bought, or a person who waits for too much
 */
export async function storeRequest(db: Db, request: NewRequest): Promise<StoredRequest | null> {
  const { id, email, party, userId, p256dh, auth, publicKey, now } = request;
  const unit = isNamed(request);
  const confirmedAt = sql`iif(${email} = '' OR EXISTS (SELECT 1 FROM proven_addresses
    WHERE user_id = ${userId} AND email_key = ${party}), ${now}, NULL)`;
  const [, written = [], , rows = []] = await runBatch(db, [
    sql`DELETE FROM restock_requests WHERE party = ${party} AND unit_id IN (SELECT id FROM units WHERE ${unit})
      AND (notified_at IS NOT NULL OR expires_at <= ${now})`,
    sql`INSERT INTO restock_requests (id, product_id, unit_id, email, party, user_id, p256dh, auth, public_key, created_at,
        expires_at, confirmed_at, attempts)
      SELECT ${id}, units.product_id, units.id, ${email}, ${party}, ${userId}, ${p256dh}, ${auth}, ${publicKey}, ${now},
        ${now} + iif(c.confirmed_at IS NULL, ${UNCONFIRMED_SECONDS}, ${WAITING_SECONDS}), c.confirmed_at, 1
      FROM units CROSS JOIN products ON products.id = units.product_id CROSS JOIN (SELECT ${confirmedAt} AS confirmed_at) AS c
      WHERE ${unit} AND products.is_hidden = 0 AND ${UNIT_AVAILABLE} <= 0
        AND ${hasFewer(party, "other.notified_at IS NULL", MAX_REQUESTS)}
        AND (c.confirmed_at IS NOT NULL OR ${hasFewer(party, "other.confirmed_at IS NULL", MAX_UNCONFIRMED)}
          AND NOT EXISTS (SELECT 1 FROM restock_requests WHERE id = ${ownerOf(id)} AND expires_at > ${now}
            OR id = ${mailsOf(id)} AND expires_at > ${now} AND attempts >= ${MAX_UNANSWERED}))
      ON CONFLICT (party, unit_id) DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth, public_key = excluded.public_key,
        user_id = iif(excluded.confirmed_at IS NULL, user_id, coalesce(excluded.user_id, user_id)),
        attempts = attempts + (confirmed_at IS NULL),
        expires_at = max(expires_at, excluded.expires_at), confirmed_at = coalesce(confirmed_at, excluded.confirmed_at)
      RETURNING id`,
    countedMail(request),
    sql`SELECT r.id, r.seq, r.unit_id AS unitId, r.confirmed_at IS NOT NULL AS isConfirmed, r.user_id IS ${userId} AS isOwn, r.attempts, products.name, units.option_values AS "values"
      FROM units CROSS JOIN products ON products.id = units.product_id
        CROSS JOIN restock_requests AS r ON r.party = ${party} AND r.unit_id = units.id
      WHERE ${unit} AND ${UNIT_AVAILABLE} <= 0`,
  ]);
  const [row] = rows;
  if (!row) return null;
  const isConfirmed = row.isConfirmed === 1;
  return {
    ...{ id: String(row.id), name: String(row.name), values: String(row.values) },
    ...{ seq: Number(row.seq), unitId: String(row.unitId), isNew: row.id === id },
    isKnown: isConfirmed && row.isOwn === 1,
    mayMail: written.length > 0 && !isConfirmed && Number(row.attempts) <= MAX_CONFIRMATIONS,
  };
}

/** Tells that the owner of an account's address has opened a link that was mailed there. */
export async function isProvenAddress(db: Db, userId: string, party: string): Promise<boolean> {
  const rows = await db.all(
    sql`SELECT 1 FROM proven_addresses WHERE user_id = ${userId} AND email_key = ${party}`,
  );
  return rows.length > 0;
}

/** Unit that somebody waits for, as its messages name it. */
export interface RequestedUnit {
  productId: string;
  unitId: string;
  name: string;
  /** JSON of the options, and of the unit's value of each. */
  options: string;
  values: string;
  /** Pieces that can be bought. */
  available: number;
  priceCents: number;
}

const UNIT =
  sql.raw(`r.product_id AS productId, r.unit_id AS unitId, p.name, p.options, u.option_values AS "values",
  max(0, u.stock - u.held) AS available, coalesce(u.price_cents, p.base_cents, p.price_cents) AS priceCents`);
const WITH_UNIT = sql.raw(`restock_requests AS r CROSS JOIN units AS u ON u.id = r.unit_id
  CROSS JOIN products AS p ON p.id = u.product_id`);

/** Request of a mailed link, with the number of units that its address waits for. */
export type LinkedRequest = RequestedUnit & {
  isConfirmed: number;
  isNotified: number;
  /** 0 for another request of the address, in place of one that has ended. */
  isOwn: number;
  waiting: number;
};

/** Finds the request of a mailed link, or another one of its address; undefined when all have ended. @param now epoch seconds */
export async function findLinked(db: Db, id: string, now: number): Promise<LinkedRequest | undefined> {
  const [row] = await db.all<LinkedRequest>(sql`SELECT ${UNIT}, r.confirmed_at IS NOT NULL AS isConfirmed,
      r.notified_at IS NOT NULL AS isNotified, r.id = ${id} AS isOwn,
      (SELECT count(*) FROM restock_requests AS o WHERE o.party = r.party AND o.notified_at IS NULL) AS waiting
    FROM ${WITH_UNIT} WHERE ${isOfOwner(id)} AND r.expires_at > ${now} AND (r.id = ${id} OR r.notified_at IS NULL)
    ORDER BY r.id = ${id} DESC LIMIT 1`);
  return row;
}

/** Request that was confirmed. */
export type ConfirmedRequest = Pick<RequestRow, "seq" | "unitId" | "email" | "userId"> & {
  /** 1 for a unit that could be bought at that moment: the page has told it. */
  isNotified: number;
};

/**
 * Confirms a request; it ends where its unit can be bought again, which the page says. The address is proven, and the request the
 * account's, only where the account that has the address opens the link: the link shows that somebody reads the mails, not that the
 * account is theirs.
 *
 * @param userId signed-in account that opened the link; null without one
 * @returns undefined for a request that has ended
 */
export async function confirmRequest(
  db: Db,
  { id, userId, now }: { id: string; userId: string | null; now: number },
): Promise<ConfirmedRequest | undefined> {
  const isOpen = sql`r.id = ${id} AND r.notified_at IS NULL AND r.expires_at > ${now}`;
  const isBack = sql`coalesce((SELECT ${UNIT_AVAILABLE} > 0 FROM units WHERE id = r.unit_id), 0)`;
  const [, rows = []] = await runBatch(db, [
    sql`INSERT INTO proven_addresses (user_id, email_key, proven_at)
      SELECT users.id, users.email_key, ${now} FROM restock_requests AS r JOIN users ON users.id = ${userId} AND users.email_key = r.party
      WHERE ${isOpen} ON CONFLICT (user_id) DO UPDATE SET email_key = excluded.email_key, proven_at = excluded.proven_at`,
    sql`UPDATE restock_requests AS r SET confirmed_at = coalesce(confirmed_at, ${now}), attempts = 0,
      notified_at = iif(${isBack}, ${now}, NULL), due_at = iif(${isBack}, NULL, due_at),
      expires_at = ${now} + iif(${isBack}, ${NOTIFIED_SECONDS}, ${WAITING_SECONDS}),
      user_id = (SELECT id FROM users WHERE id = ${userId} AND email_key = r.party)
      WHERE ${isOpen} RETURNING seq, unit_id AS unitId, email, user_id AS userId, notified_at IS NOT NULL AS isNotified`,
    sql`DELETE FROM restock_requests WHERE id = ${mailsOf(id)}`,
  ]);
  return rows[0] as ConfirmedRequest | undefined;
}

/** Gives the places of requests that were about to be told to the next ones of their line. */
export const givenBack = (where: SQL, now: number): SQL =>
  sql`INSERT INTO restocks (unit_id, people, noted_at) SELECT unit_id, count(*), ${now} FROM restock_requests AS r
    WHERE ${where} AND due_at IS NOT NULL AND notified_at IS NULL GROUP BY unit_id
    ON CONFLICT (unit_id) DO UPDATE SET people = people + excluded.people`;

/** Ends all requests of the address that a mailed link belongs to, and the mails that ask it to confirm others. */
export async function endRequests(db: Db, id: string, now: number): Promise<void> {
  const owner = ownerOf(id);
  await runBatch(db, [
    givenBack(isOfOwner(id), now),
    sql`DELETE FROM restock_requests AS r WHERE (${isOfOwner(id)} AND notified_at IS NULL) OR id = ${mailsOf(id)}`,
    // Of no unit, and without the address.
    sql`INSERT INTO restock_requests (id, product_id, unit_id, party, p256dh, created_at, expires_at)
      VALUES (${owner}, '', '', ${owner}, 'stopped', ${now}, ${now + STOPPED_SECONDS})
      ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at`,
  ]);
}

/** Counts the people who wait for a product or a unit. @param id one that both have is the product's */
export async function countWaiting(db: Db, id: string): Promise<number> {
  const [row] = await db.all<{ people: number }>(sql`SELECT coalesce(sum(waiting), 0) AS people FROM units
    WHERE product_id = ${id} OR id = ${id} AND NOT EXISTS (SELECT 1 FROM products WHERE products.id = ${id})`);
  return row?.people ?? 0;
}

/** Finds until when the address of a mailed link gets no mails that ask to confirm something; null for one that gets them. */
export async function findStopped(db: Db, id: string, now: number): Promise<number | null> {
  const [row] = await db.all<{ until: number }>(
    sql`SELECT expires_at AS until FROM restock_requests WHERE id = ${ownerOf(id)} AND expires_at > ${now}`,
  );
  return row?.until ?? null;
}

/** Lets the address of a mailed link get mails that ask to confirm something again. */
export async function allowRequests(db: Db, id: string): Promise<void> {
  await db.run(sql`DELETE FROM restock_requests WHERE id = ${ownerOf(id)}`);
}

/** People who are notified for each piece that came. */
const PEOPLE_PER_PIECE = 3;
/** Units whose restocks are taken up in one run. */
const MAX_UNITS = 10;

const isWaiting = sql.raw("confirmed_at IS NOT NULL AND due_at IS NULL AND notified_at IS NULL");

/**
 * Gives the next people of the line a time, in the order of asking: three for each piece that came and is still there.
 *
 * @param max people of all units together
 */
export async function claimNext(db: Db, now: number, max: number): Promise<void> {
  const units = await db.all<{ unitId: string }>(
    sql`SELECT unit_id AS unitId FROM restocks WHERE unit_id > '' ORDER BY unit_id LIMIT ${MAX_UNITS}`,
  );
  let left = max;
  for (const { unitId } of units) left -= await claimOf(db, unitId, now, left);
}

/** Claims people of one unit, in one transaction. @returns their number */
async function claimOf(db: Db, unitId: string, now: number, max: number): Promise<number> {
  const people = sql`min(people, ${PEOPLE_PER_PIECE} * coalesce(
    (SELECT max(0, stock - held) FROM units WHERE id = ${unitId}), 0))`;
  const [claimed = []] = await runBatch(db, [
    sql`UPDATE restock_requests SET due_at = ${now}, attempts = 0 WHERE seq IN (SELECT seq FROM restock_requests
      WHERE unit_id = ${unitId} AND ${isWaiting} ORDER BY seq
      LIMIT coalesce((SELECT min(${people}, ${max}) FROM restocks WHERE unit_id = ${unitId}), 0)) RETURNING seq`,
    sql`UPDATE restocks SET people = ${people} - changes() WHERE unit_id = ${unitId}`,
    sql`DELETE FROM restocks WHERE unit_id = ${unitId} AND (people <= 0
      OR NOT EXISTS (SELECT 1 FROM restock_requests WHERE unit_id = ${unitId} AND ${isWaiting}))`,
  ]);
  return claimed.length;
}

/** Person who is to be notified. */
export type DueRequest = RequestedUnit &
  Pick<RequestRow, "id" | "email" | "party" | "userId" | "p256dh" | "auth" | "publicKey" | "attempts">;

/**
 * Takes the requests that are due, in the order of asking within a second.
 *
 * @param until time at which one that was cut off is due again, epoch seconds
 * @returns their ids
 */
export async function takeDue(
  db: Db,
  { now, until, max }: { now: number; until: number; max: number },
): Promise<string[]> {
  const taken = await db.all<{ id: string; seq: number }>(sql`UPDATE restock_requests SET due_at = ${until}
    WHERE seq IN (SELECT seq FROM restock_requests WHERE due_at IS NOT NULL AND due_at <= ${now}
      ORDER BY due_at, seq LIMIT ${max}) RETURNING id, seq`);
  return taken.toSorted((a, b) => a.seq - b.seq).map(({ id }) => id);
}

/** Reads a request that was taken, with its unit as it is now; undefined for one that has ended since. */
export async function findDue(db: Db, id: string): Promise<DueRequest | undefined> {
  const [row] =
    await db.all<DueRequest>(sql`SELECT ${UNIT}, r.id, r.email, r.party, r.user_id AS userId, r.p256dh, r.auth,
      r.public_key AS publicKey, r.attempts
    FROM ${WITH_UNIT} WHERE r.id = ${id} AND r.due_at IS NOT NULL AND r.notified_at IS NULL`);
  return row;
}

/** Returns when the next person is to be notified, epoch seconds; null when nobody is. */
export async function findNextDue(db: Db): Promise<number | null> {
  const [row] = await db.all<{ at: number | null }>(
    sql`SELECT iif(EXISTS (SELECT 1 FROM restocks WHERE unit_id > ''), 0,
      (SELECT due_at FROM restock_requests WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1)) AS at`,
  );
  return row?.at ?? null;
}

const isDue = (id: string) => and(eq(restockRequests.id, id), isNull(restockRequests.notifiedAt));

/** Ends a request whose message was sent. */
export async function markNotified(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(restockRequests)
    .set({ notifiedAt: now, dueAt: null, expiresAt: now + NOTIFIED_SECONDS })
    .where(isDue(id));
}

/** Puts a person back into the line, since the unit is sold out again. */
export async function putBack(db: Db, id: string): Promise<void> {
  await db.update(restockRequests).set({ dueAt: null, attempts: 0 }).where(isDue(id));
}

/** Counts a failed attempt. @param dueAt of the next one, epoch seconds */
export async function postpone(db: Db, id: string, dueAt: number): Promise<void> {
  await db
    .update(restockRequests)
    .set({ dueAt, attempts: sql`${restockRequests.attempts} + 1` })
    .where(isDue(id));
}

/** Deletes a request whose message reaches nobody; the next in the line is notified in its place. */
export async function deleteUnreached(db: Db, id: string, now: number): Promise<void> {
  await runBatch(db, [givenBack(sql`r.id = ${id}`, now), sql`DELETE FROM restock_requests WHERE id = ${id}`]);
}

/** Deletes the requests whose time has passed, at most `limit`. @returns the number of deleted ones */
export async function deleteExpired(db: Db, now: number, limit: number): Promise<number> {
  const rows = await db.all(sql`DELETE FROM restock_requests WHERE seq IN (SELECT seq FROM restock_requests
    WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}) RETURNING seq`);
  return rows.length;
}
