import { describe, expect, it } from "vitest";
import { DUMMY_HASH, hashPassword, verifyPassword } from "./passwords.server";

describe("passwords", () => {
  it("are hashed with scrypt, N=2^14, r=8, p=5, and a salt of their own", async () => {
    const [one, two] = await Promise.all([hashPassword("Admin#2026!"), hashPassword("Admin#2026!")]);
    expect(one).toMatch(/^scrypt\$16384\$8\$5\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword("Admin#2026!", one)).toBe(true);
    expect(await verifyPassword("admin#2026!", one)).toBe(false);
  });

  it("have the same hash with the same salt", async () => {
    const salt = new Uint8Array(16).fill(7);
    expect(await hashPassword("x", salt)).toBe(await hashPassword("x", salt));
  });

  it("match in either Unicode normalisation form", async () => {
    expect(await verifyPassword("cafe\u0301", await hashPassword("caf\u00e9"))).toBe(true);
  });

  it.each([
    DUMMY_HASH,
    "",
    "plain",
    "scrypt$16384$8$5$$",
    "scrypt$1073741824$8$5$AAAA$AAAA",
    "scrypt$x$8$5$AA$AA",
    "scrypt$16384$8$5$AAAA$!",
    "scrypt$16384$8$5$AAAA$AAAA",
    "scrypt$1000$8$5$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "scrypt$2$1$16$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  ])("never match %s", async (stored) => {
    expect(await verifyPassword("", stored)).toBe(false);
  });
});
