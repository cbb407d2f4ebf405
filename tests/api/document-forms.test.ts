import { beforeAll, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { credit, json, type SaleAnswer, sold, stockOf } from "../support/sales";
import { addProduct, call } from "../support/shop";

const PATH = "/admin/documents";
let token: string;
const html = async (path: string) => (await call(path, { token })).text();
const send = (path: string, fields: [string, string][]) =>
  call(path, { method: "POST", body: new URLSearchParams(fields), token });

beforeAll(async () => {
  ({ token } = await manager());
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
    expect(page).toContain("Credited lamp: 3");
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
    [["9007199254740993", "0"], "At most 2"],
  ])("refuses %j", async (take, message) => {
    const { url } = await make();
    const answer = await send(url, fields(take));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(
      new RegExp(`id="credit-take-1-error"[^>]*>(?:<[^>]*>)*[^<]*${message}`),
    );
  });
});
