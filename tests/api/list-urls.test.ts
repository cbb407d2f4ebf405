import { beforeAll, describe, expect, it } from "vitest";
import { dataUrl } from "../support/loader-data";
import { admin } from "../support/people";
import { sold } from "../support/sales";
import { addProduct, addUser, call, cookiesOf } from "../support/shop";

/** A search that the rows of the list match, and the path. */
const LISTS = [
  ["", "/admin/products-management"],
  ["q=stand", "/admin/products-management"],
  ["", "/admin/inventory-management"],
  ["q=stand", "/admin/inventory-management"],
  ["", "/admin/invoices-management"],
  ["q=stand", "/admin/invoices-management"],
  ["businessType=EMPORIA", "/admin/invoices-management"],
  ["", "/admin/expenses-management"],
  ["", "/admin/documents"],
  ["", "/admin/customers"],
  ["q=quist", "/admin/customers"],
  ["", "/admin/users-management"],
  ["q=stander", "/admin/users-management"],
];

describe("a page past the end of a list", () => {
  let token: string;
  const open = (path: string, cookie?: string) => call(path, { token, ...(cookie && { cookie }) });

  beforeAll(async () => {
    ({ token } = await admin());
    for (const n of ["One", "Two", "Three"]) {
      await addProduct({ name: `Stand ${n}`, stock: 9 });
      await call("/api/customer", { token, json: { name: `${n} Quist` } });
      await addUser({ firstName: n, lastName: "Stander" });
      await sold(token, {
        customerName: `${n} Quist`,
        lines: [{ description: `Stand ${n}`, quantity: 1, amount: 5 }],
      });
      const expense = {
        description: `Stand ${n}`,
        expenseType: "OTHERS",
        businessType: "EMPORIA",
        amount: 5,
      };
      expect((await call("/api/expense", { token, json: expense })).status).toBe(201);
    }
  });

  it.each(LISTS)("leads to the last one: ?%s of %s", async (query, path) => {
    const url = `${path}?${query ? `${query}&` : ""}page=9&size=2`;
    const answer = await open(url);
    expect(answer.status).toBe(302);
    const last = new URL(answer.headers.get("Location") ?? "", "http://localhost");
    expect(last.pathname).toBe(path);
    expect(last.searchParams.get("page")).toMatch(/^[23]$/);
    last.searchParams.set("page", String(Number(last.searchParams.get("page")) + 1));
    expect((await open(last.pathname + last.search)).headers.get("Location"), "from one further").toBe(
      answer.headers.get("Location"),
    );
    const shown = await open(answer.headers.get("Location") ?? "");
    expect(shown.status).toBe(200);
    expect(await shown.text()).toMatch(/Stand|Quist/);
  });

  it("shows the last one where a message waits, such as Undo after the last row was deleted", async () => {
    const list = "/admin/expenses-management?page=2&size=2";
    const [, id] = (await (await open(list)).text()).match(/[?&;]delete=([\w-]+)/) ?? [];
    const deleted = await call(`${list}&delete=${id}`, {
      token,
      body: new URLSearchParams({ intent: "delete", id: id ?? "" }),
    });
    expect([deleted.status, deleted.headers.get("Location")]).toEqual([303, list]);
    const shown = await open(list, cookiesOf(deleted));
    expect(shown.status).toBe(200);
    const html = (await shown.text()).replaceAll("<!-- -->", "");
    expect(html).toContain("Undo");
    expect(html).toContain("Page <b>1</b> of <b>1</b>");
  });
});

/** URLs of each list, and what is left of them. */
const IGNORED = [
  ["/admin/products-management", "category=SHOES&q=stand&dialog=new", "q=stand&dialog=new"],
  ["/admin/products-management", "sort=x&dir=desc", ""],
  ["/admin/inventory-management", "level=lots&movements=x&before=3", "movements=x&before=3"],
  [
    "/admin/invoices-management",
    "paymentMode=GOLD&from=2026-02-30&to=2026-11-20&delete=x",
    "to=2026-11-20&delete=x",
  ],
  ["/admin/invoices-management", "sort=amount&dir=up", "sort=amount"],
  ["/admin/expenses-management", "expenseType=x&tax=with", "tax=with"],
  ["/admin/documents", "kind=quote&kind=sale&source=chat", "source=chat"],
  ["/admin/customers", "open=nothing", ""],
  ["/admin/customers", "open=unlinked&business=LASER", "open=unlinked"],
  ["/admin/users-management", "status=nonsense&page=0&size=1e9", ""],
  ["/admin/users-management", "__proto__=x&dialog=new", "dialog=new"],
  ["/admin/audit", "kind=x&person=nobody&id=a-1&older=x&row=-1", "id=a-1"],
] as const;

describe("a list's URL with parameters that the list ignores", () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await admin());
  });

  it.each(IGNORED)("leads to the one without them: %s?%s", async (path, query, left) => {
    const answer = await call(`${path}?${query}`, { token });
    const to = left ? `${path}?${left}` : path;
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, to]);
    expect((await call(to, { token })).status).toBe(200);
  });

  it("leads there from another page of the back office too", async () => {
    const answer = await call(dataUrl("/admin/users-management?status=nonsense&q=ann"), { token });
    expect(answer.headers.get("X-Remix-Redirect")).toBe("/admin/users-management?q=ann");
  });

  it("stays where fields of a form are empty", async () => {
    const query = "q=&category=&businessType=&paymentMode=&from=&to=&sort=&dir=&page=&size=";
    expect((await call(`/admin/invoices-management?${query}`, { token })).status).toBe(200);
  });

  it("stays where the page answers a form or shows a message, which a redirect would lose", async () => {
    const path = "/admin/expenses-management?tax=x";
    const refused = await call(`${path}&dialog=new`, {
      token,
      body: new URLSearchParams({ intent: "add", description: "", amount: "0" }),
    });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("Description is required");
    expect((await call(path, { token, cookie: "emporia_toast=x" })).status).toBe(200);
  });
});
