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

/** Decrypts what `sealed` has returned. @returns null where none of the shop's secrets opens it */
export async function unsealed(secret: string, purpose: string, text: string): Promise<string | null> {
  const bytes = Buffer.from(text, "base64url");
  const iv = bytes.subarray(0, IV_BYTES);
  for (const each of signingSecrets(secret)) {
    const key = await sealingKey(each, purpose);
    const data = await crypto.subtle
      .decrypt({ name: "AES-GCM", iv }, key, bytes.subarray(IV_BYTES))
      .catch(() => null);
    if (data) return new TextDecoder().decode(data);
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
