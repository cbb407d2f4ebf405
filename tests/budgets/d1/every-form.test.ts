import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "worker-under-test";
import { SHOPPER_FORMS } from "../../support/every-form/of-shoppers";
import { STAFF_FORMS } from "../../support/every-form/of-staff";
import { cookiesIn, type FormCase, type FormShop, type Person } from "../../support/every-form/shop";
import { admin, person } from "../../support/people";
import { call, ORIGIN } from "../../support/shop";

/** Round trips to D1 that a form, and the page that it leads to, may wait for. */
const TRIPS = { shopper: 2, staff: 3 };

/**
 * Trips that are counted for a chat's page. The room names the products, which are read while the frame's reads are under way, in
 * a trip of their own or not: the count is above the waits.
 */
const CHAT_PAGE_TRIPS = 3;

/** Forms and pages after them with more; the list only gets shorter. */
const EXCEPTIONS: Record<string, number> = {
  "customer: conversation favourites": 3,
  // They read the account after the attempt has been counted, and who was signed in before that.
  "customer: login signIn": 3,
  "customer: signup signUp": 3,
  // The archive has all that is stored of a person.
  "customer: page after account download": 3,
  // An attempt is counted before its code is compared, and the code is used before what it permits; one answers with its page.
  "staff: account factorCodes": 5,
  "staff: account factorOff": 4,
  "staff: login code": 4,
  "staff: customers merge": 4,
  // These answers contain the page as well.
  "staff: record edit": 4,
  "staff: settings find redraw": 5,
  // Checks the lines, so that a refused sale adds nobody, and adds the customer before the sale.
  "staff: record for a new customer": 6,
  "staff: products planUpload": 6,
  "staff: documents mail": 4,
  "staff: products bulkUpload": 6,
  // It reads the quote, records the sale of what is kept, and announces both.
  "staff: deposits withdraw": 4,
  // It reads the hold that was put back, and checks and places another.
  "staff: today holdAgain": 4,
  "staff: holds holdAgain": 4,
  // It reads the code's unit, writes its product, and names both; an undo goes through its run in slices.
  "staff: codes link": 6,
  "staff: runs undo": 11,
  "staff: page after runs undo": 4,
};

let shop: FormShop;

beforeAll(async () => {
  const owner = await admin();
  shop = { call, admin: owner.token, password: "Password1!", customer: () => person() };
});

/** Wraps D1 and counts the trips of all its sessions. */
function countedD1() {
  const count = { trips: 0 };
  const withSession = (start: string) => {
    const session = env.DB.withSession(start);
    const batch = (statements: D1PreparedStatement[]) => {
      count.trips++;
      return session.batch(statements);
    };
    return { prepare: session.prepare.bind(session), batch, getBookmark: () => session.getBookmark() };
  };
  const { prepare, batch } = env.DB;
  const database = { prepare: prepare.bind(env.DB), batch: batch.bind(env.DB), withSession };
  return { database: database as unknown as D1Database, count };
}

let addresses = 0;

/** Sends a request as a person. @returns also the trips before its answer */
async function sent(path: string, by: Person, body?: URLSearchParams | FormData) {
  const { database, count } = countedD1();
  const headers = new Headers({ "CF-Connecting-IP": `2001:db8:78:${(++addresses).toString(16)}::1` });
  if (by.token) headers.set("Authorization", `Bearer ${by.token}`);
  if (by.cookie) headers.set("Cookie", by.cookie);
  headers.set("Origin", ORIGIN);
  const method = body ? "POST" : "GET";
  const request = new Request(ORIGIN + path, { method, headers, body: body ?? null, redirect: "manual" });
  const answer = await worker.fetch(
    request as Parameters<typeof worker.fetch>[0],
    { ...env, DB: database },
    createExecutionContext(),
  );
  const { trips } = count;
  return { answer, trips, text: await answer.text() };
}

/** Sends a form and opens the page that it leads to, and holds the trips of both. */
async function expectFewTrips({ name, prepare }: FormCase, by: Person, limit: number): Promise<void> {
  const { path, fields, by: own } = await prepare(shop, by);
  const form = await sent(path, own, fields instanceof FormData ? fields : new URLSearchParams(fields));
  expect(form.answer.status, `${name}: ${form.text.slice(0, 2000)}`).toBeLessThan(400);
  expectTrips(`${who(by)}: ${name}`, form.trips, limit);
  const to = form.answer.headers.get("Location");
  if (!to) return;
  const cookie = [own.cookie, cookiesIn(form.answer)].filter(Boolean).join("; ");
  const page = await sent(to, { ...own, cookie });
  expect(page.answer.status, to).toBe(200);
  const most = to.startsWith("/chat/") ? CHAT_PAGE_TRIPS : limit;
  expectTrips(`${who(by)}: page after ${name}`, page.trips, most);
}

const who = ({ token }: Person) => (token === shop.admin ? "staff" : token ? "customer" : "visitor");

/** Holds the limit, or the exact number of an exception; of a page, whose reads may meet in one trip, the largest. */
function expectTrips(name: string, trips: number, limit: number): void {
  const known = EXCEPTIONS[name];
  if (known === undefined || name.includes("page after"))
    expect(trips, name).toBeLessThanOrEqual(known ?? limit);
  else expect(trips, `${name}: correct its exception, or take it out`).toBe(known);
}

describe("a form, and the page after it, waits for few trips to the database", () => {
  it.each(SHOPPER_FORMS.filter(({ only }) => only !== "customers"))("$name, by a visitor", (each) =>
    expectFewTrips(each, {}, TRIPS.shopper),
  );

  it.each(SHOPPER_FORMS.filter(({ only }) => only !== "visitors"))("$name, by a customer", async (each) =>
    expectFewTrips(each, { token: (await person()).token }, TRIPS.shopper),
  );

  it.each(STAFF_FORMS)("$name, by an admin", (each) =>
    expectFewTrips(each, { token: shop.admin }, TRIPS.staff),
  );
});

/** Modules with forms, by the first word of their cases. */
const SOURCES = import.meta.glob<string>("../../../app/**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Forms that a mailed link alone opens, that need an answer of a webhook's receiver, and that send a mail to test it. */
const NOT_SENT = [
  "test-webhook",
  "accept",
  "open",
  "keepByLink",
  "reset",
  "resend",
  "test-mail",
  "stopRestock",
  "confirmRestock",
  "resumeRestock",
];

it("names the form of every intent", () => {
  const declared = Object.values(SOURCES).flatMap((source) =>
    [...source.matchAll(/^ +"?([\w-]+)"?: intent\(/gm)].map(([, name]) => name ?? ""),
  );
  const named = new Set([...SHOPPER_FORMS, ...STAFF_FORMS].map(({ name }) => name.split(" ").at(-1) ?? ""));
  expect(declared.length).toBeGreaterThan(60);
  expect([...new Set(declared)].filter((name) => !named.has(name) && !NOT_SENT.includes(name))).toEqual([]);
});
