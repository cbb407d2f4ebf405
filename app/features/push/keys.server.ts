import { type Db, openDb } from "~/db/client.server";
import { epochSeconds } from "~/domain/durations";
import { fieldError } from "~/http/errors";
import { sealed, unsealed } from "~/session/sealed.server";
import { findPushKeys, storePushKeys } from "./queries.server";

/** Keys with which the shop signs its notifications (VAPID, RFC 8292): point and scalar of P-256, in base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

/** Time for which the Worker or an object believes that the shop has no keys, seconds. */
const ABSENT_SECONDS = 30;

/** Keys of the shop as this isolate knows them. */
const known: { keys: PushKeys | null } = { keys: null };
/** Time until which the shop is believed to have none, epoch seconds. */
const absentUntil = new WeakMap<Env, number>();

/** Returns the keys of an engineer, who has set them as secrets; null without them. */
function ownKeys({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }: Env): PushKeys | null {
  return publicKey && privateKey ? { publicKey, privateKey } : null;
}

/** Tells without a read whether the shop may have keys: where it has none, messages need no task that notifies. */
export const mayHavePushKeys = (env: Env): boolean =>
  ownKeys(env) !== null || known.keys !== null || (absentUntil.get(env) ?? 0) <= epochSeconds();

/** Reads the shop's keys; null before somebody first looked at a switch for notifications. */
export async function readPushKeys(env: Env): Promise<PushKeys | null> {
  const keys = ownKeys(env) ?? known.keys;
  if (keys || !mayHavePushKeys(env)) return keys;
  const stored = await storedKeys(env, openDb(env.DB).db);
  if (!stored.keys) absentUntil.set(env, epochSeconds() + ABSENT_SECONDS);
  return stored.keys && remember(stored.keys);
}

/** Reads the shop's keys, and makes them where it has none, or none that its COOKIE_SECRET opens. */
export async function pushKeys({ env, db }: { env: Env; db: Db }): Promise<PushKeys> {
  const keys = ownKeys(env) ?? known.keys;
  if (keys) return keys;
  const stored = await storedKeys(env, db);
  if (stored.keys) return remember(stored.keys);
  const made = await newKeys();
  const privateKey = await sealed(env.COOKIE_SECRET, "push-keys", made.privateKey);
  const row = await storePushKeys(db, { ...made, privateKey }, stored.publicKey, epochSeconds());
  // Somebody else may have made keys at the same time.
  return remember(row.publicKey === made.publicKey ? made : ((await storedKeys(env, db)).keys ?? made));
}

async function storedKeys(env: Env, db: Db): Promise<{ keys: PushKeys | null; publicKey: string }> {
  const row = await findPushKeys(db);
  if (!row) return { keys: null, publicKey: "" };
  const { publicKey } = row;
  const privateKey = await unsealed(env.COOKIE_SECRET, "push-keys", row.privateKey);
  return { keys: privateKey === null ? null : { publicKey, privateKey }, publicKey };
}

function remember(keys: PushKeys): PushKeys {
  known.keys = keys;
  return keys;
}

async function newKeys(): Promise<PushKeys> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
  const point = (await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer;
  const { d = "" } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey;
  return { publicKey: Buffer.from(point).toString("base64url"), privateKey: d };
}

/** Checks the public key of a browser. @throws AppError invalid for a key that is not on the curve */
export async function requirePoint(p256dh: string): Promise<void> {
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  try {
    await crypto.subtle.importKey("raw", Buffer.from(p256dh, "base64url"), algorithm, false, []);
  } catch {
    throw fieldError("invalid", "keys.p256dh", "Must be a point of the curve P-256");
  }
}
