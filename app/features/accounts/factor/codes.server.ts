import { Secret, TOTP } from "otpauth";
import { sha256 } from "~/session/tokens.server";

/** Seconds for which an authenticator shows a code. */
const STEP_SECONDS = 30;
/** Codes before and after the present one that are taken: clocks differ, and typing takes a while. */
const TOLERATED_STEPS = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

const totpOf = (secret: string, label: { issuer?: string; label?: string } = {}) =>
  new TOTP({
    ...label,
    secret: Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: 6,
    period: STEP_SECONDS,
  });

/** Generates the secret of an authenticator: 160 random bits, base32. */
export const newFactorSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Builds the address that an authenticator reads from a QR code. */
export const authenticatorUrl = (secret: string, issuer: string, label: string): string =>
  totpOf(secret, { issuer, label }).toString();

/**
 * Finds the step of 30 seconds since 1970 that a code belongs to, among those that are taken now.
 *
 * @param now epoch seconds
 * @returns null for a wrong or an old code
 */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const distance = totpOf(secret).validate({
    token: code,
    timestamp: now * 1000,
    window: TOLERATED_STEPS,
  });
  return distance === null ? null : Math.floor(now / STEP_SECONDS) + distance;
}

/** Code as it was typed: of an authenticator, or for recovery; null for neither. */
export type TypedCode = { kind: "time" | "recovery"; code: string } | null;

/** Reads a code, which people type with spaces and hyphens. */
export function typedCode(text: string): TypedCode {
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  if (/^\d{6}$/.test(code)) return { kind: "time", code };
  return /^[A-Z2-7]{16}$/.test(code) ? { kind: "recovery", code } : null;
}

/** Parts a long code into groups of four. */
export const inGroups = (code: string, between: string): string =>
  (code.match(/.{1,4}/g) ?? []).join(between);

/** Generates recovery codes of 80 random bits, such as `2JQK-7B4E-…`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => inGroups(new Secret({ size: RECOVERY_BYTES }).base32, "-"));

/** Hashes a recovery code of an account for storage. */
export const recoveryHash = (userId: string, code: string): Promise<string> =>
  sha256(`${userId}:${code.replaceAll("-", "")}`);
