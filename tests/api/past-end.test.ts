import { beforeAll, describe, expect, it } from "vitest";
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
