import { beforeAll, describe, expect, it } from "vitest";
import { staffToken } from "../support/chat";
import { costOf } from "../support/cost";
import { addUser, call, signIn } from "../support/shop";

interface Found {
  unitId: string;
  name: string;
  choice: string;
  sku: string;
  barcode: string;
  price: number;
  stock: number;
  image: string;
}

const EAN = "4006381333931";
let token: string;
let caseId: string;
/** Id of the moss case. */
let moss: string;

beforeAll(async () => {
  token = await staffToken();
  const made = await call("/api/product", {
    token,
    json: {
      name: "Phone case",
      price: 24,
      category: "OTHERS",
      options: [{ name: "Colour", values: ["Moss", "Sand"] }],
      units: [
        { options: { Colour: "Moss" }, stock: 3, sku: "CASE-MOSS", barcode: EAN },
        { options: { Colour: "Sand" }, stock: 1, price: 26 },
      ],
    },
  });
  caseId = ((await made.json()) as { id: string }).id;
  [{ unitId: moss }] = (await found(EAN)) as [Found];
  await add({ id: "mug", name: "Mug", units: [{ sku: "mug-1", barcode: "012345678905" }] });
  await add({ id: "cup-1", name: "Cup", units: [{ sku: "MUG-1" }] });
});

const add = (product: object) =>
  call("/api/product", { token, json: { price: 9, category: "OTHERS", stock: 2, ...product } });
const look = (code: string) => call(`/api/product/code?${new URLSearchParams({ code })}`, { token });
const found = async (code: string) => (await (await look(code)).json()) as Found[];
const names = async (code: string) =>
  (await found(code)).map(({ name, choice }) => `${name} ${choice}`.trim());
const link = (json: object) => call("/api/product/code", { method: "PUT", token, json });

describe("GET product/code", () => {
  it("finds a unit by its barcode, with its choice, price and stock", async () => {
    expect(await found(` ${EAN}\r\n`)).toMatchObject([
      {
        unitId: moss,
        productId: caseId,
        name: "Phone case",
        choice: "Moss",
        sku: "CASE-MOSS",
        price: 24,
        stock: 3,
      },
    ]);
  });

  it("finds an SKU in any case, and shows both of two", async () => {
    expect(await names("case-moss")).toEqual(["Phone case Moss"]);
    expect((await names("Mug-1")).sort()).toEqual(["Cup", "Mug"]);
  });

  it("reads a UPC-A as the EAN-13 with a 0 before it", async () => {
    expect(await names("0012345678905")).toEqual(["Mug"]);
    expect(await names("012345678905")).toEqual(["Mug"]);
    expect(await names("12345678905")).toEqual([]);
  });

  it("finds a unit by the code of its label", async () => {
    const sand = await unitOf(caseId, 1);
    const own = `U${sand.replaceAll("-", "").slice(0, 12)}`;
    expect(await names(own.toUpperCase())).toEqual(["Phone case Sand"]);
    expect(await names("cup-1")).toEqual(["Cup"]);
  });

  it.each([
    "https://shop.example/products/mug?a=1#b",
    "%' OR 1=1 --",
    "🏺🏺",
    "case",
    "CASE-MOS",
    "U000000000000",
    "../..",
  ])("finds nothing by %s", async (code) => expect(await found(code)).toEqual([]));

  it.each([
    ["x".repeat(10_000), "A code has at most 60 characters"],
    ["", "Required"],
    ["\u0000\u001d ", "Required"],
  ])("refuses a code that is none (%#)", async (code, message) => {
    const answer = await look(code);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain(message);
  });

  it("reads at most 20 rows, also for a code that 50 units have", async () => {
    const values = Array.from({ length: 50 }, (_, i) => `Value ${i}`);
    const units = values.map((Size) => ({ options: { Size }, stock: 1, sku: "SAME", barcode: "SAME" }));
    await add({ name: "Fifty", stock: undefined, options: [{ name: "Size", values }], units });
    const answer = await look("SAME");
    expect(((await answer.json()) as Found[]).length).toBe(4);
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(20);
    expect(costOf(await look(EAN)).rowsRead).toBeLessThanOrEqual(20);
  });

  it("is for staff", async () => {
    const { email, password } = await addUser({ id: "ines", email: "ines@mail.example" });
    const shopper = await signIn(email, password);
    expect((await call(`/api/product/code?code=${EAN}`)).status).toBe(401);
    expect((await call(`/api/product/code?code=${EAN}`, { token: shopper })).status).toBe(403);
  });
});

describe("PUT product/code", () => {
  it("makes a code the barcode of a unit alone", async () => {
    const sand = await unitOf(caseId, 1);
    expect((await link({ unitId: sand, barcode: "2000000020013" })).status).toBe(200);
    expect(await names("2000000020013")).toEqual(["Phone case Sand"]);
    expect(await found(EAN)).toMatchObject([{ unitId: moss, sku: "CASE-MOSS", stock: 3 }]);
    expect((await link({ unitId: "cup-1", barcode: "2000000020020" })).status).toBe(200);
    expect(await found("2000000020020")).toMatchObject([{ name: "Cup", sku: "MUG-1", stock: 2 }]);
  });

  it("replaces a barcode that the caller saw, and no other", async () => {
    const refused = await link({ unitId: moss, barcode: "2000000020037" });
    expect(refused.status).toBe(409);
    expect(JSON.stringify(await refused.json())).toContain(
      `Phone case (Moss) has the barcode ${EAN} already.`,
    );
    expect((await link({ unitId: moss, barcode: "2000000020037", was: EAN })).status).toBe(200);
    // The same again changes nothing.
    expect((await link({ unitId: moss, barcode: "2000000020037" })).status).toBe(200);
  });

  it("knows no other unit", async () => {
    expect((await link({ unitId: "nobody", barcode: EAN })).status).toBe(404);
    expect((await link({ unitId: caseId, barcode: EAN })).status).toBe(404);
  });
});

async function unitOf(productId: string, at: number): Promise<string> {
  const { units } = (await (await call(`/api/product/id/${productId}`)).json()) as {
    units: { id: string }[];
  };
  return units[at]?.id ?? "";
}
