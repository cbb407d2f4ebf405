import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { formatDateTime } from "~/ui/format";
import { startChat } from "../support/chat";
import { loaderData } from "../support/loader-data";
import { manager, person } from "../support/people";
import { credit, registerForTax, type SaleAnswer, sold } from "../support/sales";
import { addProduct, call } from "../support/shop";

const PATH = "/admin/documents";
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
const screen = (query = "") => loaderData<Screen>(`${PATH}?${query}`, { token });
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
      lines: [free("Cable", 18), free("Charging stand", 116, 2)],
    })) as [SaleAnswer];
    await sold(token, { ...day("2026-03-06"), lines: [{ ...free("Plaque", 90), businessType: "LASER" }] });
    await sold(token, { ...day("2026-04-01"), lines: [1, 2, 3, 4, 5, 6].map((i) => free(`Tote ${i}`, i)) });
    await credit(token, sale.id, { lines: [{ line: 2, quantity: 1 }] });
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
      { quantity: 1, description: "Cable" },
      { quantity: 2, description: "Charging stand" },
    ]);
    expect(rows.find(({ originalNumber }) => originalNumber === sale.number)).toMatchObject({
      items: [{ quantity: 1, description: "Charging stand" }],
      lines: 1,
    });
    const page = await html(PATH);
    for (const text of [`Credits ${sale.number}`, "$58.00 credited", "Voided", "no tax", " and 2 more"])
      expect(page, text).toContain(text);
    expect(page).toContain("All 6 documents");
    expect(page).toContain("4 sales, 2 credits");
  });

  it("shows pieces that came back with the minus sign of their amount, in the list of lines", async () => {
    const lines = await html(`${INVOICES}?sort=amount&dir=asc`);
    expect(lines).not.toMatch(/>-\d/);
    expect(lines).toMatch(/>\u22121<.*>\u2212\$58\.00</s);
    const { number } =
      (await screen()).rows.find(({ originalNumber }) => originalNumber === sale.number) ?? {};
    expect(await html(`${INVOICES}?document=${number}`)).toContain("\u22121 piece");
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

  it.each([
    ["kind=credit", 2],
    ["kind=sale&business=EMPORIA", 3],
    ["source=counter", 6],
    ["source=chat", 0],
    ["kind=", 6],
  ])("is filtered by %s in the API", async (query, total) => {
    const answer = await call(`/api/sale?${query}`, { token });
    expect([answer.status, answer.headers.get("X-Total-Count")]).toEqual([200, String(total)]);
    expect(await answer.json()).toHaveLength(total);
  });

  it.each(["kind", "source", "business", "from"])("refuses a wrong %s in the API", async (name) => {
    const answer = await call(`/api/sale?${name}=zzz`, { token });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: [{ path: name }] });
  });

  it("pages from both ends in the same order", async () => {
    const all = (await screen("size=100")).rows.map(({ number }) => number);
    const pages = await Promise.all([1, 2, 3].map((page) => screen(`size=2&page=${page}`)));
    expect(pages.flatMap(({ rows }) => rows.map(({ number }) => number))).toEqual(all);
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

  it("tells when a sale of an earlier day was recorded, and dates it without a time", async () => {
    const productId = await addProduct({ name: "Backdated lamp", stock: 5 });
    const lines = [{ productId, description: "Backdated lamp", quantity: 1, amount: 9 }];
    const [document] = await sold(token, { createdAt: "2026-03-05", lines });
    const moved = await call(`/api/product/${productId}/movements`, { token });
    const [movement] = (await moved.json()) as { createdAt: { seconds: number } }[];
    const recorded = formatDateTime(movement?.createdAt.seconds ?? 0, "America/Toronto");
    const page = (await html(`/admin/documents/${document?.id}`)).replaceAll("<!-- -->", "");
    const history = page.slice(page.indexOf('id="history-title"'));
    expect(history).toContain(`<time>${recorded}</time>`);
    expect(page).not.toContain("5th Mar 2026, ");
    await expect(env.DB.exec("UPDATE documents SET recorded_at = 1")).rejects.toThrow("documents: final");
  });

  it("leads from a document to its own lines alone", async () => {
    const [other] = await sold(token, { createdAt: "2026-03-05", lines: [free("Cable", 18)] });
    const link = `${INVOICES}?document=${sale.number}`;
    expect(await html(`/admin/documents/${sale.id}`)).toContain(`href="${link}">2 lines</a>`);
    const list = await html(link);
    expect(list).toContain("All 2 results");
    expect(list).toContain(`Clear Document: ${sale.number}`);
    expect(list).toContain("row-document");
    expect(list).not.toContain(other?.number);
    expect(await html(`${link}&q=cable`)).toContain("1 result<");
    for (const empty of [`${link}&businessType=LASER`, `${INVOICES}?document=E-2026-999999`])
      expect(await html(empty)).not.toContain("row-document");
    const csv = (await html(`${INVOICES}.csv?document=${sale.number}`)).trim().split("\r\n");
    expect(csv.slice(1).map((row) => row.split(",")[0])).toEqual(["Charging stand", "Cable"]);
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
      "Paged lamp: 5 → 3",
      "Knob is loose",
      `/admin/chat?chat=${chatId}`,
      "Kept, after credits",
      "1 credited",
    ])
      expect(page, text).toContain(text);
    expect(page).not.toContain("; the document says");
  });
});

describe("a search by amount", () => {
  it.each(["42.35", "$42.35", "42,35", "$ 42.35 ", "#42.35"])(
    "finds documents and lines by the amount %s",
    async (q) => {
      const [{ id, number } = { id: "", number: "" }] = await sold(token, {
        lines: [{ description: "Amount search", amount: 42.35, quantity: 1 }],
        paymentMode: "CARD",
      });
      const query = new URLSearchParams({ q, size: "100" });
      expect((await screen(query.toString())).rows.map((row) => row.number)).toContain(number);
      const list = await html(`${INVOICES}?${query}`);
      expect(list).toContain(`/admin/documents/${id}`);
      expect(list).toContain("Amount search");
    },
  );

  it.each(["1862", "1,862", "$1862", "# 1862"])(
    "finds documents and lines by the whole amount %s",
    async (q) => {
      const [{ id, number } = { id: "", number: "" }] = await sold(token, {
        lines: [{ description: "Whole amount", amount: 1862, quantity: 1 }],
        paymentMode: "CARD",
      });
      const query = new URLSearchParams({ q, size: "100" });
      expect((await screen(query.toString())).rows.map((row) => row.number)).toContain(number);
      expect(await html(`${INVOICES}?${query}`)).toContain(`/admin/documents/${id}`);
    },
  );

  it.each(["-43.35", "\u2212$43.35"])(
    "finds credit notes alone by the amount %s that the list shows",
    async (q) => {
      const [sale] = await sold(token, {
        lines: [{ description: "Credited search", amount: 43.35, quantity: 1 }],
        paymentMode: "CARD",
      });
      await credit(token, sale?.id ?? "");
      const { rows } = await screen(new URLSearchParams({ q, size: "100" }).toString());
      expect(new Set(rows.map((row) => row.number.split("-")[0]))).toEqual(new Set(["EC"]));
      const lines = await html(`${INVOICES}?${new URLSearchParams({ q, size: "100" })}`);
      expect(lines).toContain("Credited search");
      expect(lines).not.toContain(`/admin/documents/${sale?.id}"`);
    },
  );

  it("finds no document by another amount", async () => {
    await sold(token, {
      lines: [{ description: "Amount search", amount: 77.35, quantity: 1 }],
      paymentMode: "CARD",
    });
    expect((await screen("q=77.36")).rows).toEqual([]);
    expect(await html(`${INVOICES}?q=77.36`)).not.toContain("Amount search");
  });
});
