import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { addDays, localDay } from "~/domain/days";
import { CHARTS } from "~/features/analytics/charts";
import { addEntry } from "../support/ledger";
import { loaderData } from "../support/loader-data";
import { manager, person } from "../support/people";
import { call, insert } from "../support/shop";

const TODAY = localDay(Date.now() / 1000, "America/Toronto");
let token: string;

beforeAll(async () => {
  ({ token } = await manager());
});

let written = 0;
const common = (day: string, cents: number) => ({
  id: `entry-${++written}`,
  description: `Entry ${written}`,
  description_key: `entry ${written}`,
  amount_cents: cents,
  created_at: Date.parse(`${day}T17:00:00Z`) / 1000,
  updated_at: 1_790_000_000,
  day,
});

/** Adds an invoice. @param cents the line's total */
const sell = (day: string, cents: number, payment = "CASH", category = "OTHERS", business = "EMPORIA") =>
  insert("invoices", [
    { ...common(day, cents), business_type: business, category, quantity: 1, payment_mode: payment },
  ]);
const spend = (day: string, cents: number, type: string, business = "EMPORIA") =>
  insert("expenses", [{ ...common(day, cents), business_type: business, expense_type: type }]);

const dataOf = (path: string) => loaderData<Record<string, unknown>>(path, { token });
const pageOf = async (path: string) => (await call(path, { token })).text();
/** Returns the text of a page without scripts and tags. */
const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->|<script.*?<\/script>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

/** Does something while tables are gone; what the shop logs of it is meant. */
async function without<T>(tables: string[], act: () => Promise<T>): Promise<T> {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  const rename = (from: string, to: string) => env.DB.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
  for (const table of tables) await rename(table, `gone_${table}`);
  try {
    return await act();
  } finally {
    for (const table of tables) await rename(`gone_${table}`, table);
    logged.mockClear();
  }
}

describe.each(["/admin", "/admin/insights", "/admin/graphs", "/admin/inventory-management"])(
  "%s is for staff",
  (path) => {
    it("redirects visitors to sign-in and customers to /unauthorized", async () => {
      const stranger = await call(path);
      expect([stranger.status, stranger.headers.get("Location")]).toEqual([
        302,
        `/login?redirectTo=${encodeURIComponent(path)}`,
      ]);
      const customer = await person();
      const away = await call(path, { token: customer.token });
      expect([away.status, away.headers.get("Location")]).toEqual([302, "/unauthorized"]);
    });

    it("is visible to managers and admins", async () => {
      const admin = await person({ isAdmin: true });
      for (const each of [token, admin.token]) expect((await call(path, { token: each })).status).toBe(200);
    });
  },
);

describe("with an empty ledger", () => {
  it("shows zeros and empty charts", async () => {
    const dashboard = textOf(await pageOf("/admin"));
    expect(dashboard).toContain("Total Sales $0 .00");
    expect(dashboard).not.toMatch(/NaN|Infinity|undefined/);
    const graphs = textOf(await pageOf("/admin/graphs?year=2020"));
    expect(graphs).toContain("No sales in 2020.");
    expect(graphs).toContain("No sales yet.");
  });
});

describe("with a few entries", () => {
  const yesterday = addDays(TODAY, -1);
  const longAgo = "2021-03-05";

  beforeAll(async () => {
    await sell(TODAY, 34_850, "CARD", "ENGRAVING", "LASER");
    await sell(TODAY, 5_000);
    await sell(yesterday, 29_100, "EMT", "PHONE_CASE");
    await sell(longAgo, 100_000, "CARD");
    await sell(longAgo, 20_000, "CARD", "ENGRAVING", "LASER");
    await spend(TODAY, 10_000, "SHIPPING");
    await spend(longAgo, 2_500, "TAXI", "LASER");
    await spend(longAgo, 30_000, "SHIPPING");
  });

  it("each figure equals the sum of its linked entries", async () => {
    const html = await pageOf("/admin");
    const links = [
      ...html.matchAll(
        /<a class="(row|sum|(?:panel )?stat-card[^"]*)"[^>]* href="([^"]+)"[^>]*>(.*?)<\/a>/gs,
      ),
    ];
    expect(links).toHaveLength(4 + 3 + 5 + 10 + 10 + 3);
    for (const [, , href = "", inside = ""] of links) {
      const shown = /\$[\d,]+ ?\.\d\d/.exec(textOf(inside).replace(/ (?=\.\d\d)/, ""))?.[0];
      const path = href.replaceAll("&amp;", "&");
      const { sums } = await loaderData<{ sums: { amountCents: number } }>(path, { token });
      expect(Number(shown?.replace(/[$,]/g, "")), path).toBe(sums.amountCents / 100);
    }
  });

  it("shows trends and shares", async () => {
    const text = textOf(await pageOf("/admin"));
    // 398.50 after 291.00: 36.94 % up. All sales were 1,491.00 before today: 26.7 % up. 425.00 of 1,889.50 was spent.
    expect(text).toContain("Today&#x27;s Sales $398 .50 up 36.9% vs $291.00 yesterday");
    expect(text).toContain("Total Sales $1,889 .50 up 26.7% vs yesterday");
    expect(text).toContain("Total Expenses $425 .00 22.5% of total sales");
    expect(text).toContain("Emporia Expenses Breakdown Total $400.00");
    expect(text).toContain("Laser Craft Expenses Breakdown Total $25.00");
    expect(text).toContain("Engraving, card $548.50");
  });

  it("shows zero sales when they cannot be read", async () => {
    const text = await without(["sale_totals"], async () => textOf(await pageOf("/admin")));
    expect(text).toContain("Total Sales $0 .00 Could not be read");
    expect(text).toContain("Total Expenses $425 .00");
    expect(text).not.toContain("Failed to fetch dashboard data");
  });

  it("shows zero expenses when they cannot be read", async () => {
    const text = await without(["expense_totals"], async () => textOf(await pageOf("/admin")));
    expect(text).toContain("Total Expenses $0 .00 Could not be read");
    expect(text).toContain("Total Sales $1,889 .50");
  });

  it("announces a complete failure in the status region", async () => {
    const html = await without(["sale_totals", "expense_totals"], () => pageOf("/admin"));
    expect(html).toMatch(/role="status">(?:(?!<\/div>).)*Failed to fetch dashboard data/s);
  });

  it("charts fail independently with their own messages", async () => {
    const failures = async (table: string) => {
      const html = await without([table], () => pageOf("/admin/graphs"));
      return [...html.matchAll(/<article[^>]* aria-label="([^"]+)".*?<\/article>/gs)]
        .map(([card, title]) => [title, /Failed to fetch [^.]+\./.exec(textOf(card))?.[0]])
        .filter(([, message]) => message);
    };
    expect(await failures("expense_months")).toEqual([
      ["Sales vs Expenses", "Failed to fetch sales vs expenses graph: That didn&#x27;t work."],
    ]);
    expect(await failures("sale_months")).toEqual([
      ["Monthly Sales", "Failed to fetch monthly sales graph: That didn&#x27;t work."],
      ["Sales vs Expenses", "Failed to fetch sales vs expenses graph: That didn&#x27;t work."],
    ]);
    expect(await failures("sale_totals")).toEqual([
      ["Sales by Category", "Failed to fetch Category graph: That didn&#x27;t work."],
      ["Payment Methods", "Failed to fetch payment method graph: That didn&#x27;t work."],
    ]);
  });

  it.each([
    ["/admin", "sale_dates"],
    ["/admin/graphs", "sale_months"],
    ["/admin/graphs", "sale_totals"],
  ])("%s logs once that %s cannot be read", async (path, table) => {
    const lines = await without([table], async () => {
      await pageOf(path);
      return vi.mocked(console.error).mock.calls.map(([line]) => String(line));
    });
    expect(lines.filter((line) => line.includes(table))).toHaveLength(1);
  });

  it("one message stands for all charts when none can be read", async () => {
    const sums = ["sale_months", "expense_months", "sale_totals", "expense_totals"];
    const html = await without(sums, () => pageOf("/admin/graphs"));
    const [, status = ""] = /<div class="toasts" role="status">(.*?)<section/s.exec(html) ?? [];
    expect(textOf(status).match(/Failed to fetch [^.]+\./g)).toEqual([
      "Failed to fetch graphs data: That didn&#x27;t work.",
    ]);
  });

  it("the charts' figures are in the HTML without JavaScript", async () => {
    const html = await pageOf("/admin/graphs?year=2021");
    const tables = [...html.matchAll(/<noscript>(.*?)<\/noscript>/gs)]
      .map(([, table = ""]) => textOf(table))
      .filter((text) => text.includes("$"));
    expect(tables).toHaveLength(CHARTS.length);
    const table = (caption: string) => tables.find((text) => text.includes(caption));
    expect(table("Monthly Sales, 2021")).toContain("Mar $1,200.00");
    expect(table("Monthly Sales, 2021")).toContain("Apr $0.00");
    expect(table("Sales by Category, all time")).toContain("Engraving $548.50 29.0%");
    expect(table("Sales vs Expenses, 2021")).toContain("Mar $1,200.00 $325.00 $875.00");
    expect(table("Payment Methods, all time")).toContain("Cash $50.00 3%");
    expect(table("Payment Methods, all time")).toContain("Card $1,548.50 82%");
  });

  it.each(["abc", "1999", "1e9", "-1", "2026;DROP TABLE sale_months"])(
    "the year %j falls back to the current one",
    async (year) => {
      const data = await dataOf(`/admin/graphs?year=${encodeURIComponent(year)}`);
      expect(data.year).toBe(Number(TODAY.slice(0, 4)));
    },
  );

  it("the dashboard's loader returns figures only", async () => {
    const data = await dataOf("/admin");
    expect(Object.keys(data).sort()).toEqual([
      "chats",
      "expenses",
      "expensesFailed",
      "failure",
      "firstRun",
      "month",
      "periods",
      "profit",
      "sales",
      "salesFailed",
      "scope",
    ]);
  });
});

describe("the chosen business and period", () => {
  const SCOPE = "?business=LASER&amp;period=last-year";

  it("stay between dashboard, analytics and bookkeeping, and end with other sections", async () => {
    for (const path of ["/admin", "/admin/graphs", "/admin/bookkeeping"]) {
      const menu = (await pageOf(path + SCOPE.replace("&amp;", "&"))).split('aria-label="Sections"')[1];
      for (const report of ["/admin", "/admin/graphs", "/admin/bookkeeping"])
        expect(menu, path).toContain(`href="${report}${SCOPE}"`);
      expect(menu, path).toContain('href="/admin/customers"');
    }
    expect(await pageOf("/admin/customers")).toContain('href="/admin/graphs"');
  });

  it("offer the years of that business alone", async () => {
    await sell("2019-05-05", 100);
    expect(await pageOf("/admin/graphs?business=EMPORIA&year=2021")).toContain("year=2019");
    expect(await pageOf("/admin/graphs?business=LASER&year=2021")).not.toContain("year=2019");
  });

  it("offer a year that has expenses alone", async () => {
    await addEntry("expense", { description: "Rent", amount: 5, createdAt: "2018-05-05" }, token);
    expect(await pageOf("/admin/graphs?year=2021")).toContain("year=2018");
  });
});

describe("the menu of the back office", () => {
  it.each([
    ["Administrator", { isAdmin: true }],
    ["Administrator", { isAdmin: true, isManager: true }],
    ["Manager", { isManager: true }],
  ])("names the role: %s of %o", async (role, flags) => {
    const staff = await person(flags);
    const html = await (await call("/admin", { token: staff.token })).text();
    expect(html).toContain(`<b class="truncate">Pat</b><small>${role}</small>`);
  });
});
