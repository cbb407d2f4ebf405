import { sql } from "drizzle-orm";
import { type Db, runBatch } from "~/db/client.server";
import type { AccountRef } from "~/db/schema";
import type { DeviceWait } from "./device.server";
import { givenBack, type RequestedUnit } from "./queries.server";

/** Sold-out unit that the reader waits for. */
export type OwnRequest = RequestedUnit & {
  /** Of the request of an account; of the unit for one of the browser, which learns not even whether there is one. */
  id: string;
  /** Null for a request of nobody's account. */
  userId: string | null;
  /** "" for a browser. */
  email: string;
  isConfirmed: number;
  /** Entry of its picture; null without one. */
  image: string | null;
};

export interface OwnQuery {
  account: AccountRef | null;
  /** Units that the browser waits for. */
  device: DeviceWait[];
  /** Product whose units are read; null for all. */
  productId: string | null;
  now: number;
  /** Requests of the account that are read, the latest. */
  limit: number;
}

const UNIT =
  sql.raw(`u.product_id AS productId, r.unit_id AS unitId, p.name, p.options, u.option_values AS "values",
  max(0, u.stock - u.held) AS available, coalesce(u.price_cents, p.base_cents, p.price_cents) AS priceCents`);
const REQUEST = sql.raw("seq, created_at AS at, id, unit_id, user_id, email, confirmed_at");

/**
 * Finds what an account and a browser wait for, what was asked for last first. A request that the browser may not know of is read
 * as one that is not confirmed.
 */
export async function findOwnRequests(db: Db, query: OwnQuery): Promise<OwnRequest[]> {
  const { account, device, productId, now, limit } = query;
  const isOpen = sql`notified_at IS NULL AND expires_at > ${now}`;
  const known = device.flatMap(({ request }) => request || []);
  const typed = device.filter(({ request }) => !request);
  const ofAccount = sql`SELECT * FROM (SELECT ${REQUEST} FROM restock_requests WHERE user_id = ${account} AND ${isOpen}
    ORDER BY seq DESC LIMIT ${limit})`;
  const ofBrowser = sql`SELECT seq, created_at AS at, unit_id AS id, unit_id, user_id, email, confirmed_at FROM restock_requests
    WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(known)})) AND user_id IS NULL AND ${isOpen}`;
  const ofCookie = sql`SELECT 0 AS seq, value ->> 'since' AS at, value ->> 'unitId' AS id, value ->> 'unitId' AS unit_id,
      NULL AS user_id, value ->> 'email' AS email, NULL AS confirmed_at
    FROM json_each(${JSON.stringify(typed)}) WHERE NOT EXISTS (SELECT 1 FROM restock_requests AS own
      WHERE own.user_id = ${account} AND own.unit_id = value ->> 'unitId' AND own.notified_at IS NULL)`;
  const sources = [
    ...(account === null ? [] : [ofAccount]),
    ...(known.length > 0 ? [ofBrowser] : []),
    ...(typed.length > 0 ? [ofCookie] : []),
  ];
  if (sources.length === 0) return [];
  const ofProduct = productId === null ? sql`` : sql`AND p.id = ${productId}`;
  return db.all<OwnRequest>(sql`SELECT r.id, r.user_id AS userId, r.email, r.confirmed_at IS NOT NULL AS isConfirmed, ${UNIT},
      coalesce(nullif(u.image, ''), p.image_urls ->> 0) AS image
    FROM (${sql.join(sources, sql` UNION ALL `)}) AS r CROSS JOIN units AS u ON u.id = r.unit_id
      CROSS JOIN products AS p ON p.id = u.product_id AND p.is_hidden = 0 ${ofProduct}
    ORDER BY r.at DESC, r.seq DESC`);
}

/**
 * Ends a request of an account, or of the browser that made or confirmed it; its place goes to the next one.
 *
 * @param requests numbers of the browser's requests
 * @returns the number of the one that has ended
 */
export async function endOwnRequest(
  db: Db,
  { id, userId, requests, now }: { id: string; userId: string | null; requests: number[]; now: number },
): Promise<number | null> {
  const isOwn = sql`(r.id = ${id} AND r.user_id = ${userId} OR r.unit_id = ${id} AND r.user_id IS NULL
    AND r.seq IN (SELECT value FROM json_each(${JSON.stringify(requests)})))`;
  const [, ended = []] = await runBatch(db, [
    givenBack(isOwn, now),
    sql`DELETE FROM restock_requests AS r WHERE ${isOwn} AND notified_at IS NULL RETURNING seq`,
  ]);
  const [row] = ended;
  return row ? Number(row.seq) : null;
}
