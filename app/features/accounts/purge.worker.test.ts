import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { addUser, insert } from "../../../tests/support/shop";
import { purgeExpired } from "./operations/users.server";

it("removes expired sessions and reset links, and no others", async () => {
  const { id } = await addUser();
  const now = Math.floor(Date.now() / 1000);
  const times = { past: now - 1, ahead: now + 60 };
  for (const [name, expires] of Object.entries(times)) {
    const row = { token_hash: name, user_id: id, expires_at: expires };
    await insert("sessions", [{ ...row, created_at: now }]);
    await insert("password_resets", [row]);
  }
  await purgeExpired(env as Env);
  for (const table of ["sessions", "password_resets"]) {
    const { results } = await env.DB.prepare(`SELECT token_hash FROM ${table}`).all();
    expect(results).toEqual([{ token_hash: "ahead" }]);
  }
});
