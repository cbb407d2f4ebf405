import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** scrypt parameters of new passwords: about 60 ms and 16 MB on a server's core. */
const COST = { N: 2 ** 14, r: 8, p: 5 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Upper bounds of stored parameters: larger ones would exhaust the Worker's memory and time. */
const MAX_COST = { N: 2 ** 17, r: 16, p: 16 };

/**
 * Hashes a password with scrypt, in its NFC form: keyboards differ in how they compose letters.
 *
 * @param salt 16 random bytes by default; demo data passes a fixed one to get the same hash each time
 * @returns `scrypt$N$r$p$SALT$HASH`, salt and hash in base64url
 */
export async function hashPassword(password: string, salt?: Uint8Array): Promise<string> {
  const saltBytes = salt ? Buffer.from(salt) : randomBytes(SALT_BYTES);
  const hash = await derive(password, saltBytes, HASH_BYTES, COST);
  return ["scrypt", COST.N, COST.r, COST.p, saltBytes.toString("base64url"), hash.toString("base64url")].join(
    "$",
  );
}

/** Compares a password with a stored hash. @param stored result of hashPassword; other text matches no password */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split("$");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash ?? "", "base64url");
  if (scheme !== "scrypt" || !salt || expected.length !== HASH_BYTES || !isAllowed(cost)) return false;
  const actual = await derive(password, Buffer.from(salt, "base64url"), HASH_BYTES, cost);
  return timingSafeEqual(actual, expected);
}

/** Hash that no password matches: verifying it makes a sign-in with an unknown address as slow as with a known one. */
export const DUMMY_HASH = [
  "scrypt",
  COST.N,
  COST.r,
  COST.p,
  Buffer.alloc(SALT_BYTES).toString("base64url"),
  Buffer.alloc(HASH_BYTES).toString("base64url"),
].join("$");

/** Tests for parameters that scrypt takes, N a power of two, and that are within MAX_COST. */
function isAllowed({ N, r, p }: typeof COST): boolean {
  const within = (value: number, max: number) => Number.isSafeInteger(value) && value > 0 && value <= max;
  const isPowerOfTwo = N > 1 && Number.isInteger(Math.log2(N));
  return isPowerOfTwo && within(N, MAX_COST.N) && within(r, MAX_COST.r) && within(p, MAX_COST.p);
}

/** Derives `length` bytes with scrypt. It needs 128 · r · (N + p + 2) bytes of memory; `maxmem` allows twice that. */
function derive(password: string, salt: Buffer, length: number, cost: typeof COST): Promise<Buffer> {
  const { N, r, p } = cost;
  const options: ScryptOptions = { ...cost, maxmem: 256 * r * (N + p + 2) };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, length, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
