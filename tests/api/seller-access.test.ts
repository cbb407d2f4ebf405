import { beforeAll, describe, expect, it } from "vitest";
import { API_CALLS } from "../support/api-routes";
import { STAFF_FORMS } from "../support/every-form/of-staff";
import type { FormShop } from "../support/every-form/shop";
import { admin, manager, person, seller } from "../support/people";
import { PARAMETER, pathOf } from "../support/route-paths";
import { ROUTE_NAMES } from "../support/routes";
import { call, ORIGIN } from "../support/shop";

// Each page, download, API call and form of the back office is named here, as open to sellers or refused. A new one is named
// nowhere and fails, until somebody decides.

const OPEN_PAGES = [
  ...["chat", "codes", "customers", `customers/${PARAMETER}`, "documents", `documents/${PARAMETER}`, "holds"],
  ...["inventory-management", "inventory-management.csv", "labels", "product_template.csv"],
  ...["products-management", "products-management.csv", "products-management/plan"],
  ...["products-management/rejected/x", "products-management/runs/x", "products-management/runs/x/undo"],
  ...["quotes", "sales/correct", "sales/deposit", "sales/drawer", "sales/hold", "sales/new", "sales/quote"],
  ...["sales/withdraw", "search", "today", "unread"],
].map((path) => `/admin/${path}`);

const REFUSED_PAGES = [
  "/admin",
  ...[
    ...[
      "audit",
      "audit.csv",
      "bookkeeping",
      "bookkeeping.csv",
      "bookkeeping-tax.csv",
      "bookkeeping-payments.csv",
    ],
    ...["expenses-management", "expenses-management.csv", "graphs", "health", "insights", "integrations"],
    ...["invoices-management", "invoices-management.csv", "personal-data", "personal-data.zip"],
    ...["settings", "users-management"],
  ].map((path) => `/admin/${path}`),
];

const OPEN_CALLS = [
  ...["GET chat", "PATCH chat/x", "DELETE chat/x", "GET chat/responses"],
  ...["GET chat/x/notes", "POST chat/x/notes", "PATCH chat/x/notes", "DELETE chat/x/notes"],
  ...["GET customer", "POST customer", "GET customer/x", "PATCH customer/x", "POST customer/x/merge"],
  ...["GET customer/x/timeline", "GET drawer", "POST drawer", "POST drawer/close"],
  ...["GET hold", "POST hold", "PATCH hold/x", "GET quote", "POST quote", "POST quote/x/payment"],
  ...["POST product", "PUT product/x", "DELETE product/x", "GET product/x/movements", "POST product/acts"],
  ...["POST product/bulk-upload", "POST product/bulk-upload/x/undo", "GET product/code", "PUT product/code"],
  ...["GET sale", "POST sale", "GET sale/x", "POST sale/x/mail", "POST sale/x/correct", "POST sale/x/credit"],
  ...["GET push/preferences", "PATCH push/preferences"],
  ...["GET search", "GET product/x/restock", "POST storage/upload", "GET today", "PUT quote/x/ready"],
];

const REFUSED_CALLS = [
  ...["POST chat/responses", "PATCH chat/responses/x", "DELETE chat/responses/x", "PATCH chat/settings"],
  ...[
    "GET closing",
    "POST closing",
    "DELETE closing",
    "POST drawer/reopen",
    "POST expense",
    "PUT expense/x",
    "DELETE expense/x",
  ],
  ...["POST expense/x/file", "GET expense/all", "GET expense/file", "DELETE expense/file"],
  ...["GET expense/totalExpensesAmount", "GET expense/year/x", "POST invoice", "PUT invoice/x"],
  ...["DELETE invoice/x", "GET invoice/all", "GET sale/all", "GET sale/category", "GET sale/year/x"],
  ...["GET search/missed", "GET search/words", "POST search/words", "PUT search/words"],
  ...["DELETE search/words", "GET settings", "PATCH settings", "POST user", "DELETE user/x", "GET user/all"],
  ...["POST user/invite", "DELETE user/invite/x", "POST webhook/x/test"],
];

/** First words of the forms that sellers may send, and those of these that they may not. */
const OPEN_FORMS =
  /^(?:settings notifications$|(?:account|login|customers|today|holds|console|cards|record|deposits|correct|drawer|documents|products|runs|codes|inventory) )/;
/** Forms about one's own second factor and notes, which their tests send as each role. */
const OWN_FORMS = /^(?:account |login |console (?:change|remove)Note$)/;
const REFUSED_FORMS = [
  "today closeFirstRun",
  "drawer reopen",
  ...["search presence", "console addResponse", "console updateResponse", "console deleteResponse"],
  ...[
    "console settings",
    "invoice add",
    "invoice delete",
    "invoice restore",
    "expense add",
    "expense delete",
  ],
  ...["expense restore", "expense removeFile", "expense restoreFile", "users createUser", "users updateUser"],
  ...[
    "users deleteUser",
    "users invite",
    "users resendInvitation",
    "users revokeInvitation",
    "users resetFactor",
    "privacy erase",
    "privacy keep",
    "bookkeeping close",
  ],
  ...[
    "bookkeeping reopen",
    "settings shop",
    "settings hours",
    "settings redraw",
    "settings find redraw",
    "settings home",
  ],
  ...[
    "settings sales",
    "settings tax",
    "settings chat",
    "words addWord",
    "words changeWord",
    "words removeWord",
  ],
  ...["integrations create-key", "integrations revoke-key", "integrations create-webhook"],
  ...["integrations rotate", "integrations disable", "integrations enable", "integrations delete-webhook"],
];

/** Sources of the routes that serve several pages. */
const SOURCES = import.meta.glob<string>(
  ["../../app/routes/admin.sales.$form.tsx", "../../app/routes/admin_.$file*.ts"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

/** Lists the addresses that a route of several pages serves. */
const served = (name: string, pattern: RegExp, path: (found: string) => string) =>
  Object.entries(SOURCES)
    .filter(([file]) => file.includes(name))
    .flatMap(([, source]) => [...source.matchAll(pattern)].map(([, found = ""]) => path(found)));

/** Pages of the back office and what it downloads. */
const PAGES = [
  ...ROUTE_NAMES.filter((name) => /^admin(?:[._]|$)/.test(name) && !name.includes("$file")).map((name) =>
    pathOf(name).replace("($id)", PARAMETER),
  ),
  ...served("admin_.$file", /\["([\w-]+)", \w+\]/g, (file) => `/admin/${file}.csv`),
  ...served("admin.sales.$form", /^ {2}(\w+): read\w+,/gm, (form) => `/admin/sales/${form}`),
].filter((path) => path !== "/admin/sales/x" && path !== "/admin/x");

const CALLS = API_CALLS.filter(({ access }) => access !== "anyone" && access !== "customer").map(
  ({ method, path }) => `${method} ${path.replace("/api/", "")}`,
);

const people = { seller: "", manager: "", customer: "" };
let shop: FormShop;

beforeAll(async () => {
  const owner = await admin();
  shop = { call, admin: owner.token, password: "Password1!", customer: () => person() };
  people.seller = (await seller()).token;
  people.manager = (await manager()).token;
  people.customer = (await person()).token;
});

const sorted = (names: string[]) => [...new Set(names)].sort();

describe("a seller", () => {
  it("has every page, API call and form decided", () => {
    expect(PAGES.length).toBeGreaterThan(40);
    expect(sorted([...OPEN_PAGES, ...REFUSED_PAGES])).toEqual(sorted(PAGES));
    expect(sorted([...OPEN_CALLS, ...REFUSED_CALLS])).toEqual(sorted(CALLS));
    const names = STAFF_FORMS.map(({ name }) => name);
    expect(names.filter((name) => !OPEN_FORMS.test(name) && !REFUSED_FORMS.includes(name))).toEqual([]);
    expect(REFUSED_FORMS.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(OPEN_PAGES)("opens %s, as a manager does", async (path) => {
    const { status } = await call(path, { token: people.seller });
    expect([200, 400, 404, 405]).toContain(status);
    expect((await call(path, { token: people.manager })).status).toBe(status);
    expect((await call(path, { token: people.customer })).headers.get("Location") ?? "405").toMatch(
      /^(?:\/unauthorized|405)$/,
    );
  });

  it.each(REFUSED_PAGES)("may not open %s", async (path) => {
    const answer = await call(path, { token: people.seller });
    expect(answer.status).toBe(403);
    expect(await answer.text()).not.toMatch(/Net profit|Total expenses/i);
  });

  it("is not told of an unknown page", async () => {
    expect((await call("/admin/x", { token: people.seller })).status).toBe(404);
    expect((await call("/admin/x.csv", { token: people.seller })).status).toBe(404);
  });

  const sent = async (name: string, token: string) => {
    const [method = "", path = ""] = name.split(" ");
    const answer = await call(`/api/${path}`, { method, token, ...(method === "GET" ? {} : { json: {} }) });
    await answer.text();
    return answer.status;
  };

  it.each(OPEN_CALLS)("may call %s, as a manager may", async (name) => {
    const status = await sent(name, people.seller);
    expect([401, 403]).not.toContain(status);
    expect(await sent(name, people.manager)).toBe(status);
  });

  it.each(REFUSED_CALLS)("may not call %s", async (name) => {
    expect(await sent(name, people.seller)).toBe(403);
  });

  it.each(
    STAFF_FORMS.filter(({ name }) => !OWN_FORMS.test(name)).map(({ name, prepare }) => ({ name, prepare })),
  )("and the form $name", async (form) => {
    const { path, fields } = await form.prepare(shop, {});
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
    const answer = await call(path, { body, token: people.seller, headers: { Origin: ORIGIN } });
    if (REFUSED_FORMS.includes(form.name))
      return expect(answer.headers.get("Location")).toBe("/unauthorized");
    expect(answer.status, await answer.text()).toBeLessThan(400);
    expect(answer.headers.get("Location") ?? "").not.toBe("/unauthorized");
  });
});
