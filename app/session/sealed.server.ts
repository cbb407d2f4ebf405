import { signingSecrets } from "./cookies.server";

/** Bytes of an AES-GCM initialisation vector. */
const IV_BYTES = 12;

/**
 * Encrypts a secret for the database (AES-GCM, by a key that HKDF derives from the shop's secret).
 *
 * @param secret COOKIE_SECRET
 * @param purpose keeps what is sealed for another one apart
 * @returns vector and ciphertext, base64url
 */
export async function sealed(secret: string, purpose: string, text: string): Promise<string> {
  const [signing = ""] = signingSecrets(secret);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await sealingKey(signing, purpose);
  const data = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(text));
  return Buffer.concat([iv, new Uint8Array(data)]).toString("base64url");
}

/** Text that a secret of the shop has opened. */
interface Opened {
  text: string;
  /** It is sealed with a former secret, which will not be listed for ever. */
  isFormer: boolean;
}

/** Decrypts what `sealed` has returned. @returns null where none of the shop's secrets opens it */
export const unsealed = async (secret: string, purpose: string, text: string): Promise<string | null> =>
  (await opened(secret, purpose, text))?.text ?? null;

/** Decrypts what `sealed` has returned, and tells by which secret. @returns null where none opens it */
export async function opened(secret: string, purpose: string, text: string): Promise<Opened | null> {
  const bytes = Buffer.from(text, "base64url");
  const iv = bytes.subarray(0, IV_BYTES);
  for (const [i, each] of signingSecrets(secret).entries()) {
    const key = await sealingKey(each, purpose);
    const data = await crypto.subtle
      .decrypt({ name: "AES-GCM", iv }, key, bytes.subarray(IV_BYTES))
      .catch(() => null);
    if (data) return { text: new TextDecoder().decode(data), isFormer: i > 0 };
  }
  return null;
}

async function sealingKey(secret: string, purpose: string): Promise<CryptoKey> {
  const encoder = new TextEncoder();
  const base = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(purpose) },
    base,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}
