import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { bookmarkCookie } from "~/session/cookies.server";
import { submit } from "../support/forms";
import { admin, from, manager, person } from "../support/people";
import { call, cookiesOf } from "../support/shop";

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
