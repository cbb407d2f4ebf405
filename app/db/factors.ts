import { sql } from "drizzle-orm";

const IS_STAFF = "(users.is_admin = 1 OR users.is_manager = 1 OR users.is_seller = 1)";
const HAS_ROW = "EXISTS (SELECT 1 FROM second_factors WHERE user_id = users.id)";
const IS_REQUIRED = `EXISTS (SELECT 1 FROM shop_settings WHERE name = 'shop' AND content ->> '$.requiresFactor' = 1)`;

/** Column that tells whether staff sign in with a code as well; customers never do, and cost no row. */
export const HAS_FACTOR = sql.raw(`(${IS_STAFF} AND ${HAS_ROW})`).mapWith(Boolean).as("has_factor");

/** Condition that a member of staff has no second factor although the shop requires one; of a row of `users`. */
export const IS_OWING = `(${IS_STAFF} AND NOT ${HAS_ROW} AND ${IS_REQUIRED})`;

/** Column that tells whether a member of staff has no second factor although the shop requires one. */
export const OWES_FACTOR = sql.raw(IS_OWING).mapWith(Boolean).as("owes_factor");
