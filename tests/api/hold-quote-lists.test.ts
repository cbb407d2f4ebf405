import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { startChat } from "../support/chat";
import { loaderData } from "../support/loader-data";
import { manager, person } from "../support/people";
import { json } from "../support/sales";
import { addProduct, call } from "../support/shop";

interface Row {
  id: string;
  name: string;
  to: string | null;
  state: string;
  items?: string;
  title?: string;
}
interface Screen {
  rows: Row[];
  total: number;
  counts: { all: string; open: string };
}

let token: string;
let chatId: string;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const list = (path: string) => call(`/api/${path}`, { token });
const ids = async (path: string) => (await json<Row[]>(list(path))).map(({ id }) => id);
const screen = (path: string) => loaderData<Screen>(path, { token });
const act = (path: string, fields: Record<string, string>) =>
  call(path, { method: "POST", body: new URLSearchParams(fields), token });

const hold = (id: string, more: object = {}) =>
  call("/api/hold", {
    token,
    json: { id, lines: [{ productId: "lamp", quantity: 1 }], until: inDays(2), ...more },
  });
const quote = (id: string, more: object = {}) =>
  call("/api/quote", {
    token,
    json: {
      id,
      chatId,
      title: "Slate coasters",
      lines: [{ description: "Coaster", quantity: 4, amount: 60 }],
      ...more,
    },
  });

beforeAll(async () => {
  ({ token } = await manager());
  await addProduct({ id: "lamp", name: "Mushroom lamp", stock: 20 });
  await call("/api/customer", {
    token,
    json: { id: "ines", name: "Ines Carvalho", email: "ines@mail.example" },
  });
  ({ chatId } = await startChat({ initialMessage: "Hello", userName: "Élif Stone" }));
  for (const [id, more] of [
    ["of-ines", { customerId: "ines", until: inDays(3) }],
    ["of-chat", { chatId, until: inDays(1) }],
    ["counter", { until: inDays(2) }],
    ["put-back", {}],
    ["over", {}],
  ] as const)
    expect((await hold(id, more)).status).toBe(201);
  await call("/api/hold/put-back", { method: "DELETE", token });
  await env.DB.prepare("UPDATE holds SET until = unixepoch() - 60 WHERE id = 'over'").run();
  for (const id of ["open", "taken-back", "late", "agreed"]) expect((await quote(id)).status).toBe(201);
  await call("/api/quote/taken-back", { method: "PATCH", token, json: { state: "withdrawn" } });
  await env.DB.batch([
    env.DB.prepare("UPDATE quotes SET valid_until = unixepoch() - 60 WHERE id = 'late'"),
    env.DB.prepare("UPDATE quotes SET state = 'accepted' WHERE id = 'agreed'"),
  ]);
});

describe("GET hold", () => {
  it.each([
    ["hold?state=active", ["of-chat", "counter", "of-ines"]],
    ["hold?state=ended", ["over"]],
    ["hold?state=released", ["put-back"]],
    ["hold?state=sold", []],
    ["hold?q=carvalho", ["of-ines"]],
    ["hold?q=ELIF", ["of-chat"]],
    ["hold?q=el", ["of-chat"]],
    ["hold?q=mushroom&state=ended", ["over"]],
    ["hold?q=%22%27%28&state=active", []],
    ["hold?state=active&limit=1&offset=1", ["counter"]],
  ])("%s", async (path, expected) => {
    expect(await ids(path)).toEqual(expected);
  });

  it("counts all, and lists them by their ends", async () => {
    const answer = await list("hold?limit=2");
    expect(answer.headers.get("X-Total-Count")).toBe("5");
    expect((await json<Row[]>(answer)).map(({ id }) => id)[0]).toBe("of-ines");
    expect((await list("hold?state=active&limit=1")).headers.get("X-Total-Count")).toBe("3");
  });

  it.each(["hold?state=gone", "quote?state=active", "hold?limit=0", `hold?q=${"x".repeat(101)}`])(
    "%s is refused",
    async (path) => {
      expect((await list(path)).status).toBe(400);
    },
  );
});

describe("GET quote", () => {
  it.each([
    ["quote?state=sent", ["open"]],
    ["quote?state=expired", ["late"]],
    ["quote?state=accepted", ["agreed"]],
    ["quote?state=withdrawn", ["taken-back"]],
    ["quote?q=coaster&state=sent", ["open"]],
    ["quote?q=elif&state=expired", ["late"]],
    ["quote?q=nobody", []],
  ])("%s", async (path, expected) => {
    expect(await ids(path)).toEqual(expected);
  });

  it("answers a quote as it was sent", async () => {
    const [found] = await json<object[]>(list("quote?state=sent"));
    expect(found).toMatchObject({ id: "open", chatId, state: "sent", total: 60, lines: [{ amount: 60 }] });
  });
});

it.each(["/admin/holds", "/admin/quotes"])("%s is for staff", async (path) => {
  const { token: customer } = await person();
  expect((await call(path, { token: customer })).headers.get("Location")).toBe("/unauthorized");
  expect((await call(path)).headers.get("Location")).toContain("/login");
  const api = path.replace("/admin/", "/api/").replace(/s$/, "");
  expect((await call(api, { token: customer })).status).toBe(403);
  expect((await call(api)).status).toBe(401);
});

describe("the screens", () => {
  it("name the customer, the visitor or the counter", async () => {
    const { rows, total, counts } = await screen("/admin/holds?state=active");
    expect([total, counts]).toEqual([3, { all: "5", open: "3" }]);
    expect(rows.map(({ name, to }) => [name, to])).toEqual([
      ["Élif Stone", `/admin/chat?chat=${chatId}`],
      ["At the counter", null],
      ["Ines Carvalho", "/admin/customers/ines"],
    ]);
    expect(rows[0]?.items).toBe("1 × Mushroom lamp");
  });

  it("act on a row and lead back to the list", async () => {
    const path = "/admin/holds?state=active&q=carvalho";
    const extended = await act(path, { intent: "extend", holdId: "of-ines" });
    expect([extended.status, extended.headers.get("Location")]).toEqual([303, path]);
    await act(path, { intent: "release", holdId: "of-ines" });
    expect((await screen(path)).rows).toEqual([]);
    // Twice is once, and what has ended says so.
    expect((await act(path, { intent: "release", holdId: "of-ines" })).status).toBe(303);
    expect((await act(path, { intent: "extend", holdId: "over" })).status).toBe(409);
    expect((await act(path, { intent: "release", holdId: "nothing" })).status).toBe(404);
  });

  it("withdraw no quote that was accepted since the form was opened", async () => {
    const form = { intent: "withdraw", quoteId: "agreed", was: "sent" };
    expect((await act("/admin/sales/withdraw?quote=agreed", form)).status).toBe(409);
    const open = { ...form, quoteId: "open" };
    expect((await act("/admin/sales/withdraw?quote=open", open)).status).toBe(303);
    expect((await screen("/admin/quotes?state=withdrawn")).total).toBe(2);
  });

  it("say what is paid of a quote", async () => {
    const payment = { amount: 20, mode: "CASH" };
    expect((await call("/api/quote/agreed/payment", { token, json: payment })).status).toBe(201);
    const { rows } = await screen("/admin/quotes?state=accepted");
    expect(rows).toMatchObject([{ id: "agreed", paidCents: 2000 }]);
    const html = await (await call("/admin/quotes?state=accepted", { token })).text();
    expect(html).toContain("Deposit $20.00 paid, $40.00 to pay");
    const { jobs } = await json<{ jobs: { text: string }[] }>(list("today"));
    expect(jobs[0]?.text).toBe("Slate coasters, Deposit $20.00 paid, $40.00 to pay");
  });

  it("keep the counts in step", async () => {
    const { results } = await env.DB.prepare(
      SALE_CHECKS["holds and quotes are counted by state"] ?? "",
    ).all();
    expect(results).toEqual([]);
    await env.DB.prepare("DELETE FROM quotes WHERE id = 'late'").run();
    expect((await screen("/admin/quotes")).total).toBe(3);
  });
});
