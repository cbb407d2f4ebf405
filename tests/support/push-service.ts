import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from "node:crypto";

// Receiving side of Web Push, written from the standards; the shop sends with a library that this file does not use.

/** Browser that has subscribed: its private keys, and what it tells the shop. */
export interface TestBrowser {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  ecdh: ECDH;
  auth: Buffer;
}

let browsers = 0;

/** Creates a browser with a subscription of its own. */
export function newBrowser(host = "push.example.com"): TestBrowser {
  const ecdh = createECDH("prime256v1");
  ecdh.generateKeys();
  const auth = randomBytes(16);
  browsers++;
  return {
    ecdh,
    auth,
    subscription: {
      endpoint: `https://${host}/send/${browsers}-${randomBytes(8).toString("hex")}`,
      keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") },
    },
  };
}

/** Bytes of a body's header before the key: salt, record size, length of the key (RFC 8188, 2.1). */
const SALT = 16;
const RECORD_SIZE = 4;

/**
 * Decrypts the body of a push message (RFC 8291, with the encoding aes128gcm of RFC 8188).
 *
 * @throws Error for a body that is not meant for this browser
 */
export function decrypt(body: Uint8Array, { ecdh, auth }: TestBrowser): Record<string, unknown> {
  const bytes = Buffer.from(body);
  const salt = bytes.subarray(0, SALT);
  const recordSize = bytes.readUInt32BE(SALT);
  const keyLength = bytes.readUInt8(SALT + RECORD_SIZE);
  const start = SALT + RECORD_SIZE + 1;
  const senderKey = bytes.subarray(start, start + keyLength);
  const record = bytes.subarray(start + keyLength);
  if (record.length > recordSize) throw new Error("The message has more than one record.");
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const ikm = hkdfSync("sha256", ecdh.computeSecret(senderKey), auth, keyInfo, 32);
  const key = hkdfSync("sha256", new Uint8Array(ikm), salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = hkdfSync("sha256", new Uint8Array(ikm), salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", new Uint8Array(key), new Uint8Array(nonce));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (padded.subarray(end + 1).some((byte: number) => byte !== 0))
    throw new Error("The padding is not valid.");
  return JSON.parse(padded.subarray(0, end).toString("utf8")) as Record<string, unknown>;
}

/**
 * Verifies the signature of a request (VAPID, RFC 8292).
 *
 * @param authorization header of the request
 * @returns the key and the claims
 * @throws Error for a bad signature
 */
export async function verifyVapid(authorization: string) {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = "", claims = "", signature = ""] = token.split(".");
  const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as object;
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const point = Buffer.from(key, "base64url");
  const publicKey = await crypto.subtle.importKey("raw", point, algorithm, false, ["verify"]);
  const isValid = await crypto.subtle.verify(
    algorithm,
    publicKey,
    Buffer.from(signature, "base64url"),
    new TextEncoder().encode(`${header}.${claims}`),
  );
  if (!isValid) throw new Error("The signature is not valid.");
  return { key, header: parse(header), claims: parse(claims) as { aud: string; exp: number; sub: string } };
}
