import { beforeAll, describe, expect, it } from "vitest";
import { manager } from "../support/people";
import { json, sold } from "../support/sales";
import { call } from "../support/shop";

let token: string;
let number: string;

beforeAll(async () => {
  ({ token } = await manager());
  const lines = [{ description: 'Café sign, 50% "off"', quantity: 1, amount: 5 }];
  const [document] = await sold(token, { customerName: "Zoë O'Brien", lines });
  number = document?.number ?? "";
  await call("/api/customer", { token, json: { name: "Zoë O'Brien", phoneNumber: "+1 416 555 0100" } });
});

const found = async (path: string, q: string) => {
  const answer = await call(`/api/${path}?${new URLSearchParams({ q })}`, { token });
  expect(answer.status, q).toBe(200);
  return (await json<unknown[]>(answer)).length;
};

describe("search of documents and customers", () => {
  it("finds documents by number, customer and line, whatever the case", async () => {
    for (const q of [number, number.toLowerCase(), "café", "CAFÉ", "zo", "o'b", '"off"', "50%"])
      expect(await found("sale", q), q).toBe(1);
    expect(await found("sale", "nothing")).toBe(0);
  });

  it("finds customers by name and phone", async () => {
    for (const q of ["zoë", "ZO", "o'brien", "+1 4", "416"]) expect(await found("customer", q), q).toBe(1);
  });

  it.each(["4165550117", "5550117", "(416) 555-0117", "+1 416", "416.555", "0117"])(
    "finds a customer by a phone number in another spelling: %s",
    async (q) => {
      const id = `phone-${q.replace(/\D/g, "")}`;
      await call("/api/customer", { token, json: { id, name: "Jonas", phoneNumber: "+1 416 555 0117" } });
      const answer = await call(`/api/customer?${new URLSearchParams({ q })}`, { token });
      expect((await json<{ id: string }[]>(answer)).map((customer) => customer.id)).toContain(id);
    },
  );

  it.each([
    ["no-break spaces", "437\u00a0555\u202f0142"],
    ["dashes", "437\u2011555\u20130142 (Ann)"],
    ["a minus sign and a middle dot", "437\u2212555\u00b70142"],
    ["full-width digits", "（４３７）\u3000５５５－０１４２"],
    ["Arabic digits", "٤٣٧ ٥٥٥ ٠١٤٢"],
    ["Persian digits", "۴۳۷ ۵۵۵ ۰۱۴۲"],
    ["Devanagari digits", "४३७-५५५-०१४२"],
  ])("finds a customer by a phone number that was stored as entered, with %s", async (of, phoneNumber) => {
    const id = `phone-${of.replaceAll(" ", "-")}`;
    const answer = await call("/api/customer", { token, json: { id, name: "Ann", phoneNumber } });
    expect((await json<{ phoneNumber: string }>(answer)).phoneNumber).toBe(phoneNumber);
    for (const q of [
      "4375550142",
      "437-555",
      "(437) 555 0142",
      "tel: 437 555",
      "437·555",
      "٤٣٧ ٥٥٥",
      "\uff14\uff13\uff17\u2013555",
      phoneNumber.slice(0, 12),
    ]) {
      const found = await json<{ id: string }[]>(
        await call(`/api/customer?${new URLSearchParams({ q })}`, { token }),
      );
      expect(
        found.map((customer) => customer.id),
        q,
      ).toContain(id);
    }
  });

  it.each([
    "-",
    "--",
    "'",
    '"',
    '""',
    "*",
    "%",
    "_",
    "(",
    "a*",
    "NEAR",
    "OR",
    "AND x",
    "a:b",
    "^a",
    "🎁",
    "é",
    "—",
  ])("answers %j without an error", async (q) => {
    for (const path of ["sale", "customer"]) await found(path, q);
  });
});
