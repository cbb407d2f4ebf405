import { beforeAll, describe, expect, it } from "vitest";
import { addEntry } from "../support/ledger";
import { admin } from "../support/people";
import { call } from "../support/shop";

let token: string;

beforeAll(async () => {
  token = (await admin()).token;
  const plain = { category: "OTHERS", paymentMode: "CASH", businessType: "EMPORIA", amount: 0, quantity: 10 };
  await addEntry("invoice", { ...plain, description: "=1+1", createdAt: "2026-10-31" }, token);
  const sign = { description: 'Sign "Larches", 5%', quantity: 1, paymentMode: "EMT", amount: 1064.5 };
  await addEntry("invoice", { ...sign, createdAt: "2025-12-31" }, token);
  await addEntry("invoice", { description: "Too late", createdAt: "2026-11-01" }, token);
});

describe("CSV export of a filtered list", () => {
  const csv = async (path: string) => {
    const answer = await call(path, { token });
    expect(answer.status).toBe(200);
    return { answer, lines: (await answer.text()).split("\r\n") };
  };

  it("names the file by day and neutralises formulas", async () => {
    const { answer, lines } = await csv("/admin/invoices-management.csv?to=2026-10-31&sort=amount");
    expect(answer.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("Content-Disposition")).toMatch(
      /^attachment; filename="invoices-20\d\d-\d\d-\d\d\.csv"$/,
    );
    expect(lines[0]).toMatch(/Description,Category,Business,Quantity,Payment Mode,Amount,Billing Date$/);
    expect(lines.slice(1)).toEqual([
      '"\'=1+1",Others,Emporia,10,Cash,0.00,2026-10-31',
      '"Sign ""Larches"", 5%",Engraving,Laser Craft,1,EMT,1064.50,2025-12-31',
      "",
    ]);
  });

  it("begins with a UTF-8 byte order mark", async () => {
    const bytes = new Uint8Array(
      await (await call("/admin/expenses-management.csv", { token })).arrayBuffer(),
    );
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it.each(["+1", "-1", "@x", "=x"])("puts an apostrophe before %j", async (description) => {
    await addEntry("expense", { description: `${description} cell`, amount: 5 }, token);
    const { lines } = await csv(
      `/admin/expenses-management.csv?q=${encodeURIComponent(`${description} cell`)}`,
    );
    expect(lines[1]).toContain(`Shipping,"'${description} cell",Emporia,,,5.00,0.00,`);
  });

  it("redirects visitors to /login", async () => {
    const answer = await call("/admin/invoices-management.csv?q=x");
    expect(answer.headers.get("Location")).toMatch(/^\/login\?/);
  });

  it("answers 404 to staff for a file that does not exist, and redirects visitors as for one that does", async () => {
    for (const name of ["toString", "unknown", "%20"]) {
      expect((await call(`/admin/${name}.csv`, { token })).status).toBe(404);
      expect((await call(`/admin/${name}.csv`)).headers.get("Location")).toMatch(/^\/login\?/);
    }
  });
});
