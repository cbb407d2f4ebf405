// Time to the first byte of every page and form with a distance between the Worker and its database.

import { DEMO_SIGN_INS } from "../scripts/local-shop.mjs";
import { SHOPPER_FORMS } from "../tests/support/every-form/of-shoppers.ts";
import { STAFF_FORMS } from "../tests/support/every-form/of-staff.ts";
import { cookiesIn } from "../tests/support/every-form/shop.ts";
import { median } from "./load.mjs";
import { distantShop } from "./shops.mjs";

/** Milliseconds of a round trip. */
const DISTANCES = [0, 20, 80, 200];
const FAR = 200;
const ROUNDS = 3;
/** Runs of a form: one to warm up, one for each distance and one more for the farthest, one for objects. */
const RUNS = DISTANCES.length + 3;
const BUDGETS = { shopper: 2, staff: 3 };
const PASSWORD = "Measured#2026!";

/**
 * @typedef {{ token?: string, cookie?: string }} Person
 * @typedef {{ ms: number[], trips: number, calls: number, metered: number }} Times `ms` by distance; `trips` to D1 and
 *   `calls` of objects that the answer waits for; `metered`: trips by the shop's own count
 * @typedef {Times & { name: string, of: "shopper" | "staff", group: string }} Measured
 */

/** Measures all pages and forms and prints each; the rows are groups of those with as many trips. */
export async function distance() {
  const server = await distantShop();
  try {
    const shop = await opened(server.url);
    const pages = [...(await shopperPages(shop)), ...(await staffPages(shop))];
    const measured = [];
    for (const page of pages) measured.push(shown({ ...page, ...(await timesOfPage(shop, page)) }));
    for (const form of await forms(shop)) measured.push(...(await timesOfForm(shop, form)).map(shown));
    return grouped(measured);
  } finally {
    await server.stop();
  }
}

let addresses = 0;

/** Opens the shop to the forms of tests/support/every-form: each call comes from an address of its own. */
async function opened(url) {
  const call = (path, { json, headers, token, cookie, ...init } = {}) => {
    const all = new Headers({
      "CF-Connecting-IP": `2001:db8:${(++addresses).toString(16)}::1`,
      Origin: url,
      ...headers,
    });
    if (json !== undefined) all.set("Content-Type", "application/json");
    if (token) all.set("Authorization", `Bearer ${token}`);
    if (cookie) all.set("Cookie", cookie);
    const body = json === undefined ? init.body : JSON.stringify(json);
    const method = init.method ?? (body === undefined ? "GET" : "POST");
    return fetch(url + path, { ...init, method, body, headers: all, redirect: "manual" });
  };
  const answerOf = async (path, json) => (await call(path, { json })).json();
  let people = 0;
  const customer = async () => {
    const email = `measured${++people}@mail.example`;
    const names = { firstName: "Ada", lastName: "Moss" };
    const { token } = await answerOf("/api/auth/signup", { ...names, email, password: PASSWORD });
    return { token, email };
  };
  const { email, password } = DEMO_SIGN_INS.find(({ role }) => role === "admin");
  const { token: owner } = await answerOf("/api/auth/login", { email, password });
  const admins = [];
  for (let each = 0; each < RUNS; each++) {
    const { token, email: address } = await customer();
    const { id } = await (await call("/api/auth/me", { token })).json();
    const promoted = await call(`/api/user/${id}`, { method: "PUT", json: { isAdmin: true }, token: owner });
    if (!promoted.ok) throw new Error(`${address} was not promoted: ${await promoted.text()}`);
    admins.push(token);
  }
  return { url, call, admin: owner, admins, password: PASSWORD, customer };
}

/** Pages of a visitor who is cached, is not cached, and is signed in; each with what it can show. */
async function shopperPages(shop) {
  const [{ id }] = await (await shop.call("/api/product/all?limit=1")).json();
  const customer = { token: (await shop.customer()).token };
  const visitor = { cookie: "emporia_seen=1" };
  const own = [];
  for (const by of [visitor, customer]) own.push(await withChat(shop, by, id));
  const cached = ["/", "/shop", `/products/${id}`, "/terms"];
  const plain = [
    "/",
    "/shop",
    "/shop?search=mug",
    "/shop?stock=in&sort=price-asc",
    `/products/${id}`,
    "/terms",
  ];
  const forms = ["/cart", "/favourites", "/chat", "/login", "/signup", "/resetPassword", "/privacy"];
  const page = (group, by) => (path) => ({ name: path.replace(id, "{id}"), path, by, group, of: "shopper" });
  return [
    ...cached.map(page("cached", {})),
    ...own.flatMap(({ by, chatId }, at) => [
      ...[...plain, ...forms].map(page(at ? "signed in" : "not cached", by)),
      { ...page(at ? "signed in" : "not cached", by)(`/chat/${chatId}`), name: "/chat/{id}" },
    ]),
    page("signed in", own[1].by)("/account"),
  ];
}

/** Gives a shopper a chat, a favourite and a cart. */
async function withChat(shop, by, id) {
  const started = await shop.call("/api/chat/create", { json: { initialMessage: "Hello" }, ...by });
  const { chatId } = await started.json();
  const cookies = [by.cookie, cookiesIn(started)];
  for (const [path, fields] of [
    ["/favourites", { intent: "add", productId: id }],
    ["/cart", { intent: "add", id, quantity: "1" }],
  ]) {
    const cookie = cookies.filter(Boolean).join("; ");
    cookies.push(cookiesIn(await shop.call(path, { body: new URLSearchParams(fields), ...by, cookie })));
  }
  return { chatId, by: { ...by, cookie: cookies.filter(Boolean).join("; ") } };
}

const STAFF_PAGES = [
  ...["/admin", "/admin/graphs", "/admin/inventory-management", "/admin/inventory-management?q=mug"],
  ...["/admin/invoices-management", "/admin/invoices-management?q=mug", "/admin/expenses-management"],
  ...["/admin/users-management", "/admin/products-management", "/admin/products-management?q=mug"],
  ...["/admin/products-management?dialog=bulk-upload", "/admin/chat", "/admin/chat?chat=demo-chat-01"],
  ...["/admin/chat?tab=responses", "/admin/chat?tab=settings", "/admin/customers"],
  ...["/admin/customers/customer-ines", "/admin/documents", "/admin/documents/demo-sale-24"],
  ...["/admin/sales/new?chat=demo-chat-01", "/admin/sales/hold?chat=demo-chat-01"],
  ...["/admin/sales/quote?chat=demo-chat-01", "/admin/bookkeeping", "/admin/integrations"],
  ...["/admin/personal-data?customer=customer-ines", "/admin/health", "/admin/audit"],
];

const staffPages = (shop) =>
  STAFF_PAGES.map((path) => ({ name: path, path, by: { token: shop.admin }, group: "pages", of: "staff" }));

async function forms(shop) {
  const of = (cases, group, ofWhom, by) => cases.map((each) => ({ ...each, group, of: ofWhom, by }));
  const customer = async () => ({ token: (await shop.customer()).token });
  return [
    ...of(
      SHOPPER_FORMS.filter(({ only }) => only !== "customers"),
      "forms, not signed in",
      "shopper",
      async () => ({}),
    ),
    ...of(
      SHOPPER_FORMS.filter(({ only }) => only !== "visitors"),
      "forms, signed in",
      "shopper",
      customer,
    ),
    ...of(STAFF_FORMS, "forms", "staff", async () => ({ token: shop.admin })),
  ];
}

/** Sends a request at a distance. @returns also the milliseconds until its first byte */
async function sent(shop, path, options, { d1 = 0, objects = 0 }) {
  const headers = { ...options.headers, "X-Distance-d1": String(d1), "X-Distance-objects": String(objects) };
  const started = performance.now();
  const answer = await shop.call(path, { ...options, headers });
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  const ms = performance.now() - started;
  let end = first?.done ?? true;
  while (!end) end = (await reader.read()).done;
  if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}`);
  const metered = /(\d+) round trips/.exec(answer.headers.get("Server-Timing") ?? "")?.[1];
  return { answer, ms, metered: Number(metered ?? Number.NaN) };
}

/** Counts the trips that the answer waits for, by the time that they take. */
const tripsIn = (near, far) => Math.max(0, Math.round((far - near) / FAR));

async function timesOfPage(shop, { path, by }) {
  const read = async (where) => {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await sent(shop, path, by, where));
    return { ms: median(rounds.map(({ ms }) => ms)), metered: rounds[0].metered };
  };
  await read({});
  const reads = [];
  for (const d1 of DISTANCES) reads.push(await read({ d1 }));
  const ms = reads.map((each) => each.ms);
  const { ms: farObjects } = await read({ objects: FAR });
  return {
    ms,
    trips: tripsIn(ms[0], ms.at(-1)),
    calls: tripsIn(ms[0], farObjects),
    metered: reads[0].metered,
  };
}

/** Measures a form and the page that it leads to; each time with a subject of its own. */
async function timesOfForm(shop, form) {
  const runs = [];
  // The farthest twice: some write waits for the check of the schema, which an isolate repeats every 30 s.
  for (const [at, where] of [{}, ...[...DISTANCES, FAR].map((d1) => ({ d1 })), { objects: FAR }].entries()) {
    // Each run by an admin of its own: how often one may enter a password is limited.
    const { path, fields, by } = await form.prepare({ ...shop, admin: shop.admins[at] }, await form.by());
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
    const posted = await sent(shop, path, { body, ...by }, where).catch((error) => {
      throw new Error(`${form.group}, ${form.name}: ${error.message}`);
    });
    const cookie = [by.cookie, cookiesIn(posted.answer)].filter(Boolean).join("; ");
    const to = posted.answer.headers.get("Location");
    runs.push({ posted, page: to ? await sent(shop, to, { ...by, cookie }, where) : null });
  }
  const { name, group, of } = form;
  const timesOf = (part) => {
    const [warm, first, ...rest] = runs.map((run) => run[part]?.ms ?? 0);
    const [near, farObjects] = [Math.min(warm, first), rest.at(-1)];
    const far = Math.min(rest.at(-2), rest.at(-3));
    const ms = [near, ...rest.slice(0, -3), far];
    const trips = { trips: tripsIn(near, far), calls: tripsIn(near, farObjects) };
    return { ms, ...trips, metered: runs[1][part]?.metered ?? Number.NaN };
  };
  const after = { name: `after ${name}`, group: `${group}: the page after`, of };
  return [
    { name, group, of, ...timesOf("posted") },
    ...(runs[1].page ? [{ ...after, ...timesOf("page") }] : []),
  ];
}

function shown(measured) {
  const { name, of, group, ms, trips, calls, metered } = measured;
  const counted = Number.isNaN(metered) ? "" : ` (${metered} counted)`;
  const times = ms.map((each) => Math.round(each)).join(", ");
  console.log(`  ${of}, ${group}: ${name}: ${trips}${counted} + ${calls}: ${times} ms`);
  return measured;
}

/** @param {Measured[]} measured */
function grouped(measured) {
  const groups = Map.groupBy(measured, ({ of, group, trips }) => `${of}, ${group}: ${trips}`);
  return [...groups].sort().map(([, members]) => {
    const [{ of, group, trips }] = members;
    const budget = BUDGETS[of];
    const ms = DISTANCES.map((_, at) => Math.round(median(members.map((each) => each.ms[at]))));
    const calls = Math.max(...members.map((each) => each.calls));
    const names = members.map(({ name }) => name).join(", ");
    return {
      what: `Far away, ${of}, ${group}, ${trips} trips to the database: ${names}`,
      ours: `${ms.join(", ")} ms${calls > 0 ? ` · ${calls} calls of objects at most` : ""}`,
      budget: `≤ ${budget} trips`,
      pass: trips <= budget,
    };
  });
}
