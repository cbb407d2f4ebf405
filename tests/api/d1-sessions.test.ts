import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { bookmarkCookie } from "~/session/cookies.server";
import { submit } from "../support/forms";
import { admin, from, manager, person } from "../support/people";
import { addProduct, call, cookiesOf } from "../support/shop";

/** Records the constraints with which a request and its tasks open D1. */
async function openedBy(request: () => Promise<Response>): Promise<Set<string>> {
  const open = vi.spyOn(env.DB, "withSession");
  await request();
  const constraints = open.mock.calls.map(([constraint]) => String(constraint));
  open.mockRestore();
  return new Set(constraints);
}

const PRIMARY = new Set(["first-primary"]);
const BOOKMARK = "0000000b-00000002-00004f6c-b9ee6dda6a1a2a14ac7ce6a92e3bfba1";
const bookmark = async () => (await bookmarkCookie(BOOKMARK, false)).split(";")[0] ?? "";

let browsers = 0;
/** Cookies of a browser in which somebody signs in. */
async function signedIn({ email, password }: { email: string; password: string }): Promise<string> {
  const headers = from(`10.77.0.${++browsers}`);
  return cookiesOf(await call("/api/auth/login", { json: { email, password }, headers }));
}

/** Asks for a new password and waits for the mail, which is a task after the answer. */
async function forgotPassword(email: string): Promise<Response> {
  const sent = vi.spyOn(env.MAIL, "send").mockReset().mockResolvedValue({ messageId: "1" });
  const answer = await call("/api/auth/forgot-password", { json: { email } });
  await expect.poll(() => sent.mock.calls.length).toBe(1);
  return answer;
}

describe("D1 is read", () => {
  it("from any replica for anonymous visitors, whatever they read", async () => {
    // A search without a result is counted, which writes.
    await addProduct({ name: "Mug" });
    for (const path of [
      "/",
      "/shop?search=mug",
      "/api/product/all",
      "/api/chat/settings",
      "/login",
      "/admin",
    ])
      expect(await openedBy(() => call(path)), path).toEqual(new Set(["first-unconstrained"]));
  });

  it("from a replica that has the browser's last write, after one", async () => {
    const cookie = await bookmark();
    expect(await openedBy(() => call("/chat", { cookie }))).toEqual(new Set([BOOKMARK]));
  });

  it.each([
    ["of nonsense", "§$%&", "first-unconstrained"],
    ["of 10 kB", "a".repeat(10_000), "first-unconstrained"],
    [
      "from the future",
      BOOKMARK.replace("0000000b", "ffffffff"),
      "ffffffff-00000002-00004f6c-b9ee6dda6a1a2a14ac7ce6a92e3bfba1",
    ],
    [
      "of another database",
      "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683",
      "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683",
    ],
  ])("with a bookmark %s too", async (_, value, start) => {
    const cookie = (await bookmarkCookie(value, false)).split(";")[0] ?? "";
    const open = vi.spyOn(env.DB, "withSession");
    const answer = await call("/shop", { cookie });
    expect([answer.status, open.mock.calls[0]?.[0]]).toEqual([200, start]);
    open.mockRestore();
  });

  it("at the primary where it refuses a bookmark", async () => {
    const cookie = await bookmark();
    const open = env.DB.withSession.bind(env.DB);
    const opened = vi.spyOn(env.DB, "withSession").mockImplementation((start) => {
      const session = open(start);
      if (start === BOOKMARK) session.batch = () => Promise.reject(new Error("D1_ERROR: Invalid bookmark"));
      return session;
    });
    const answer = await call("/shop", { cookie });
    expect(answer.status).toBe(200);
    expect(opened.mock.calls.map(([start]) => start)).toEqual([BOOKMARK, "first-primary"]);
    opened.mockRestore();
  });

  it("at the primary for signed-in users and keys, also by safe methods", async () => {
    const [customer, seller, owner] = [await person(), await manager(), await admin()];
    const [visitor, staff, boss] = [await signedIn(customer), await signedIn(seller), await signedIn(owner)];
    const reads: [string, Parameters<typeof call>[1]][] = [
      ["/admin", { cookie: staff }],
      ["/admin", { cookie: `${await bookmark()}; ${staff}` }],
      ["/admin/integrations", { cookie: boss }],
      ["/admin/documents.csv", { cookie: staff }],
      ["/api/sale", { token: seller.token }],
      ["/api/user/all", { token: owner.token }],
      ["/api/product/all", { token: seller.token }],
      ["/", { cookie: staff }],
      ["/account", { cookie: visitor }],
      ["/api/auth/me", { token: customer.token }],
      ["/api/sale", { token: `emp_${"a".repeat(32)}` }],
      ["/socket.io/?room=admin", { cookie: staff, headers: { Upgrade: "websocket" } }],
    ];
    for (const [path, by] of reads) expect(await openedBy(() => call(path, by)), path).toEqual(PRIMARY);
  });

  it("at the primary by every unsafe method, of visitors too, and by the tasks after it", async () => {
    const { email } = await person();
    const cookie = await bookmark();
    const writes: [string, () => Promise<Response>][] = [
      ["a form", () => submit("/cart", { intent: "add", productId: "nothing", quantity: "1" }, { cookie })],
      ["a sign-in", () => call("/api/auth/login", { json: { email, password: "Wrong1!" } })],
      ["a forgotten password", () => forgotPassword(email)],
      ["a new chat", () => call("/api/chat/create", { json: { userName: "Noor", isAnonymous: true } })],
      ["a refused deletion", () => call("/api/product/nothing", { method: "DELETE" })],
    ];
    for (const [name, write] of writes) expect(await openedBy(write), name).toEqual(PRIMARY);
  });
});

describe("a right that was withdrawn", () => {
  const withdrawn = async (statement: string, id: string) => {
    await env.DB.prepare(statement).bind(id).run();
  };

  it("ends with the next request, also with an old bookmark", async () => {
    const seller = await manager();
    const cookie = `${await bookmark()}; ${await signedIn(seller)}`;
    expect((await call("/admin", { cookie })).status).toBe(200);
    await withdrawn("UPDATE users SET is_manager = 0 WHERE id = ?", seller.id);
    expect((await call("/admin", { cookie })).headers.get("Location")).toBe("/unauthorized");
    await withdrawn("DELETE FROM sessions WHERE user_id = ?", seller.id);
    expect((await call("/admin", { cookie })).headers.get("Location")).toBe("/login?redirectTo=%2Fadmin");
    expect((await call("/api/auth/me", { cookie })).status).toBe(401);
  });
});
