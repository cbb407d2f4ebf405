import { openDb } from "~/db/client.server";
import { emailKey } from "~/http/fields";
import { findOutdatedKeys, replaceEmailKeys } from "../email-keys.queries.server";
import { deleteExpiredSessionsAndResets } from "../resets.queries.server";


/** Removes expired sessions and reset links. Runs nightly. */
export async function purgeExpired(env: Env): Promise<void> {
  await deleteExpiredSessionsAndResets(openDb(env.DB, null).db, Math.floor(Date.now() / 1000));
}

/** Updates the comparison keys of addresses stored under older rules. Run nightly; a migration could not, as SQL has no IDNA. */
export async function renewEmailKeys(env: Env): Promise<void> {
  const { db } = openDb(env.DB, null);
  const outdated = (await findOutdatedKeys(db))
    .map(({ id, email, emailKey: oldKey }) => ({ id, oldKey, key: emailKey(email) }))
    .filter(({ oldKey, key }) => oldKey !== key);
  await replaceEmailKeys(db, outdated);
}
