import { beforeAll, describe, expect, it } from "vitest";
import { startChat } from "../support/chat";
import { manager, person } from "../support/people";
import { credit, json, registerForTax, type SaleAnswer, sold, stockOf } from "../support/sales";
import { addProduct, call } from "../support/shop";

const PATH = "/admin/documents";
const DATA = "_data=routes%2Fadmin.documents._index";
const INVOICES = "/admin/invoices-management";

interface Screen {
  rows: {
    number: string;
    originalNumber: string | null;
    creditedCents: number;
    isVoided: boolean;
    items: { quantity: number; description: string }[];
    lines: number;
  }[];
  total: number;
  sums: { sales: number; credits: number; totalCents: number; taxCents: number };
  params: { page: number };
}

let token: string;
const screen = async (query = "") => json<Screen>(call(`${PATH}?${DATA}&${query}`, { token }));
const html = async (path: string) => (await call(path, { token })).text();
const send = (path: string, fields: [string, string][]) =>
  call(path, { method: "POST", body: new URLSearchParams(fields), token });

beforeAll(async () => {
  ({ token } = await manager());
});

it("an empty list says what will stand there", async () => {
  expect(await html(PATH)).toContain("Record a sale, and its receipt stands here.");
  expect(await screen()).toMatchObject({ rows: [], total: 0 });
});

describe("the list of documents", () => {
  const free = (description: string, amount: number, quantity = 1) => ({ description, amount, quantity });
  let sale: SaleAnswer;

  beforeAll(async () => {
    await registerForTax("EMPORIA");
    const day = (text: string) => ({ createdAt: text });
    [sale] = (await sold(token, {
      ...day("2026-03-05"),
      customerName: "Zoë Quist",
      lines: [free("Charging stand", 116, 2), free("Cable", 18)],
    })) as [SaleAnswer];
    await sold(token, { ...day("2026-03-06"), lines: [{ ...free("Plaque", 90), businessType: "LASER" }] });
    await sold(token, { ...day("2026-04-01"), lines: [1, 2, 3, 4, 5, 6].map((i) => free(`Tote ${i}`, i)) });
    await credit(token, sale.id, { lines: [{ line: 1, quantity: 1 }] });
    const [voided] = await sold(token, { ...day("2025-12-31"), lines: [free("Tumbler", 42)] });
    await credit(token, voided?.id ?? "");
  });

  it("sums the filter, and names originals and credited amounts", async () => {
    const { rows, total, sums } = await screen();
    expect(total).toBe(6);
    expect(sums).toMatchObject({ sales: 4, credits: 2, totalCents: 13400 + 9000 + 2100 - 5800 });
    const row = rows.find(({ number }) => number === sale.number);
    expect(row).toMatchObject({ creditedCents: -5800, isVoided: false, lines: 2 });
    expect(row?.items).toEqual([
      { quantity: 2, description: "Charging stand" },
      { quantity: 1, description: "Cable" },
    ]);
    expect(rows.find(({ originalNumber }) => originalNumber === sale.number)).toMatchObject({
      items: [{ quantity: 1, description: "Charging stand" }],
    });
    const page = await html(PATH);
    for (const text of [`Credits ${sale.number}`, "$58.00 credited", "Voided", "no tax", ", and 2 more"])
      expect(page, text).toContain(text);
    expect(page).toContain("All 6 documents");
    expect(page).toContain("4 sales, 2 credits");
  });

  it.each([
    ["business=LASER", 1, 9000],
    ["kind=credit", 2, -10000],
    ["kind=sale&business=EMPORIA", 3, 13400 + 2100 + 4200],
    ["from=2026-03-05&to=2026-03-06", 2, 22400],
    ["from=2026-03-01&to=2026-04-30", 3, 24500],
    ["to=2025-12-31", 1, 4200],
    ["q=quist", 2, 13400 - 5800],
    ["q=zoë+quist&kind=credit", 1, -5800],
    ["q=tote+3", 1, 2100],
    ["q=nothing+of+it", 0, 0],
    ["q=%22", 0, 0],
  ])("filters by %s", async (query, total, cents) => {
    const found = await screen(query);
    expect([found.rows.length, found.total, found.sums.totalCents]).toEqual([total, total, cents]);
  });

  it("pages from both ends in the same order", async () => {
    const all = (await screen("size=100")).rows.map(({ number }) => number);
    const pages = await Promise.all([1, 2, 3].map((page) => screen(`size=2&page=${page}`)));
    expect(pages.flatMap(({ rows }) => rows.map(({ number }) => number))).toEqual(all);
    expect((await screen("size=2&page=99")).params.page).toBe(3);
    const ascending = (await screen("sort=createdAt&dir=asc")).rows.map(({ number }) => number);
    expect(ascending).toEqual(all.toReversed());
  });

  it("leads ticked rows to one file without JavaScript", async () => {
    const answer = await send(PATH, [
      ["intent", "print"],
      ["ids", "a"],
      ["ids", "b"],
    ]);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/receipts.pdf?ids=a%2Cb"]);
    expect((await send(PATH, [["intent", "print"]])).status).toBe(400);
  });

  it("links the ledger's lines to their document in place of their actions", async () => {
    const page = await html(`${INVOICES}?q=cable`);
    expect(page).toContain(`/admin/documents/${sale.id}`);
    expect(page).not.toContain('aria-label="Update Cable"');
    const line = sale.lines[1]?.invoiceId ?? "";
    const refused = await send(`${INVOICES}?delete=${line}`, [
      ["intent", "delete"],
      ["id", line],
    ]);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain(`This line belongs to ${sale.number}`);
  });

  it("is for staff", async () => {
    const { token: customer } = await person();
    for (const path of [PATH, `${PATH}/${sale.id}`]) {
      expect((await call(path)).headers.get("Location"), path).toMatch(/^\/login\?/);
      expect((await call(path, { token: customer })).headers.get("Location"), path).toBe("/unauthorized");
    }
    expect((await call(`${PATH}/nothing`, { token })).status).toBe(404);
  });
});

describe("a document's page", () => {
  it("shows equal sums, its twin, chat, stock and credits", async () => {
    const { chatId } = await startChat({ userName: "Ines" });
    const lamp = await addProduct({ name: "Paged lamp", stock: 5, category: "HOME_DECOR" });
    const [shop, laser] = await sold(token, {
      chatId,
      paymentMode: "CASH",
      lines: [
        { productId: lamp, quantity: 2, amount: "249.98" },
        { description: "Coasters", category: "ENGRAVING", quantity: 1, amount: 92 },
      ],
    });
    await credit(token, shop?.id ?? "", { lines: [{ line: 1, quantity: 1 }], reason: "Knob is loose" });
    const page = await html(`${PATH}/${shop?.id}`);
    for (const text of [
      shop?.number,
      laser?.number,
      "Cash rounding",
      "Sum, as on the document",
      "Stock of Paged lamp: −2, 3 then",
      "Knob is loose",
      `/admin/chat?chat=${chatId}`,
      "Kept, after credits",
      "1 credited",
    ])
      expect(page, text).toContain(text);
    expect(page).not.toContain("; the document says");
  });
});

describe("sending a receipt", () => {
  it("mails its link to the customer's address, or says that there is none", async () => {
    const json = { name: "Mailed", email: "mailed@mail.example" };
    const { id: customerId } = (await (await call("/api/customer", { token, json })).json()) as {
      id: string;
    };
    const [sale] = await sold(token, {
      customerId,
      lines: [{ description: "Tray", quantity: 1, amount: 9 }],
    });
    const url = `${PATH}/${sale?.id}`;
    expect(await html(url)).toMatch(/name="to"[^>]*value="mailed@mail.example"/);
    const sent = await send(url, [
      ["intent", "mail"],
      ["to", "mailed@mail.example"],
    ]);
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, url]);
    const refused = await send(url, [
      ["intent", "mail"],
      ["to", "nonsense"],
    ]);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/name="to"[^>]*value="nonsense"/);
    const [other] = await sold(token, { lines: [{ description: "Tray", quantity: 1, amount: 9 }] });
    const none = await send(`${PATH}/${other?.id}`, [
      ["intent", "mail"],
      ["to", ""],
    ]);
    expect(none.status).toBe(400);
    expect(await none.text()).toContain("Enter an email address");
  });
});

describe("the credit form", () => {
  const make = async (quantity = 2, stock = 5) => {
    const productId = await addProduct({ name: "Credited lamp", stock });
    const [sale] = await sold(token, {
      lines: [
        { productId, quantity, amount: 20 * quantity },
        { description: "Box", quantity: 1, amount: 5 },
      ],
    });
    return { productId, sale: sale as SaleAnswer, url: `${PATH}/${sale?.id}?credit=1` };
  };
  const fields = (take: string[], more: Record<string, string> = {}): [string, string][] => [
    ["intent", "credit"],
    ...take.flatMap((pieces, i): [string, string][] => [
      ["line", String(i + 1)],
      ["take", pieces],
    ]),
    ...Object.entries({ paymentMode: "CARD", reason: "Too big", ...more }),
  ];

  it("opens over the page, with the limit of each line and an id of its own", async () => {
    const { url } = await make();
    const page = await html(url);
    expect(page).toMatch(/name="creditId" value="[\w-]{36}"/);
    expect(page).toContain("of 2 left");
    expect(page).toContain("Credited lamp has 3.");
    expect(page).not.toMatch(/name="restock"[^>]*checked/);
  });

  it("takes back one piece, to stock only when ticked", async () => {
    const { sale, url, productId } = await make();
    const first = await send(url, fields(["1", "0"], { creditId: "credit-form-1" }));
    expect([first.status, first.headers.get("Location")]).toEqual([303, `${PATH}/${sale.id}`]);
    expect(await stockOf(productId)).toMatchObject({ stock: 3 });
    const repeated = await send(url, fields(["1", "0"], { creditId: "credit-form-1" }));
    expect(repeated.status).toBe(303);
    await send(url, fields(["1", ""], { restock: "on" }));
    expect(await stockOf(productId)).toMatchObject({ stock: 4, moved: 4 });
    const { lines } = await json<SaleAnswer>(call(`/api/sale/${sale.id}`, { token }));
    expect(lines.map(({ returned }) => returned)).toEqual([2, 0]);
  });

  it("voids everything that is left", async () => {
    const { sale, url } = await make();
    await send(url, fields(["1", "0"]));
    expect((await send(url, fields(["0", "0"], { all: "on" }))).status).toBe(303);
    const page = await html(`${PATH}/${sale.id}`);
    expect(page).toContain("Voided");
    expect(page).not.toContain("?credit=1");
    expect((await send(url, fields(["0", "0"], { all: "on" }))).status).toBe(409);
  });

  it("keeps the input and shows a conflict at its line", async () => {
    const { sale, url } = await make(3);
    await credit(token, sale.id, { lines: [{ line: 1, quantity: 2 }] });
    const answer = await send(url, fields(["2", "1"], { creditId: "kept-id", restock: "on" }));
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain("Credited lamp: 1 left to take back");
    expect(page).toMatch(/id="credit-take-1"[^>]*aria-invalid="true"[^>]*value="2"/);
    expect(page).toMatch(/id="credit-take-2"[^>]*value="1"/);
    expect(page).toContain('name="creditId" value="kept-id"');
    expect(page).toContain('value="Too big"');
    expect(page).toMatch(/name="restock"[^>]*checked/);
  });

  it.each([
    [["0", "0"], "Enter how many pieces to take back"],
    [["1.5", "0"], "Must be a whole number"],
    [["-1", "0"], "Must be a whole number"],
    [["9007199254740993", "0"], "Must be a whole number"],
  ])("refuses %j", async (take, message) => {
    const { url } = await make();
    const answer = await send(url, fields(take));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(message);
  });
});
