import { describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { addProduct, call } from "../support/shop";

/** Addresses of single fetch and of lazy route discovery, which are off, each beside an unknown page of the same place. */
const ADDRESSES = [
  ["/_root.data", "/unknown"],
  ["/shop.data", "/unknown"],
  ["/shop.data?_routes=routes%2F_shop.shop", "/unknown"],
  ["/account.data", "/unknown"],
  ["/admin.data", "/unknown"],
  ["/admin/documents.data", "/admin/unknown"],
  ["/admin/documents.data?_routes=root", "/admin/unknown"],
  ["/api/user.data", "/api/unknown"],
  ["/__manifest", "/unknown"],
  ["/__manifest?p=%2Fadmin&version=1", "/unknown"],
  ["/__manifest?p=%2Fadmin%2Fdocuments&p=%2Fshop", "/unknown"],
] as const;

/** Parts of what these transports would send: their format, the list of routes, data of a page. */
const REVEALING = /SingleFetchRedirect|turbo-stream|hasLoader|Bargain lamp/;

const CALLERS = {
  "an anonymous caller": async () => ({}),
  staff: async () => ({ token: (await manager()).token }),
};

describe.each(Object.entries(CALLERS))("to %s, the addresses of transports that are off", (_, signIn) => {
  it.each(ADDRESSES)("%s answers as the unknown %s", async (address, unknown) => {
    await addProduct({ name: "Bargain lamp" });
    const caller = await signIn();
    const answer = await call(address, caller);
    const expected = await call(unknown, caller);
    await expected.text();
    expect(answer.status).toBe(expected.status);
    expect([302, 404]).toContain(answer.status);
    expect(answer.headers.get("Content-Type")).toBe(expected.headers.get("Content-Type"));
    if (answer.status === 302)
      expect(answer.headers.get("Location")).toMatch(/^\/login\?redirectTo=%2Fadmin%2Fdocuments\.data/);
    expect(await answer.text()).not.toMatch(REVEALING);
    expect([...answer.headers].join()).not.toMatch(REVEALING);
  });
});

it("a page of the shop has data that such an answer would have", async () => {
  await addProduct({ name: "Bargain lamp" });
  expect(await (await call("/shop", { cookie: "emporia_seen=1" })).text()).toMatch(REVEALING);
});
