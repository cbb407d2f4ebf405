import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { instantAt, localDay } from "~/domain/days";
import { runTasks, startChat } from "../support/chat";
import { admin, manager, person } from "../support/people";
import { json } from "../support/sales";
import { addProduct, call, setStock } from "../support/shop";

interface Act {
  name: string;
  method: string;
  path: string;
}
interface Row {
  id: string;
  title: string;
  text: string;
  readyBy: string | null;
  path: string;
  acts: Act[];
}
type Kind = "conversations" | "holds" | "quotes" | "jobs" | "pickUps" | "stock";
type Today = Record<Kind, Row[]> & { waiting: number; problems: string[] };

const PATH = "/admin/today";
let token: string;
let adminToken: string;
let chatId: string;
const today = async () => json<Today>(call("/api/today", { token }));
const titles = (rows: Row[]) => rows.map(({ title }) => title);
const send = (fields: Record<string, string>, cookie = "") =>
  call(PATH, { method: "POST", body: new URLSearchParams(fields), token, cookie });
const run = (statement: string) => env.DB.prepare(statement).run();
const day = (ahead: number) => localDay(Math.floor(Date.now() / 1000) + ahead * 86_400, "America/Toronto");

/** Saves hours that are the same on each weekday. */
async function saveHours(spans: string[][], days: object[] = []) {
  const weekly = Object.fromEntries(
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map((one) => [one, spans]),
  );
  const json = { hours: { weekly, days } };
  expect((await call("/api/settings", { method: "PATCH", json, token: adminToken })).status).toBe(200);
}

async function placeHold(id: string, until: string, more: object = {}) {
  const json = {
    id,
    lines: [{ productId: "lamp", quantity: 1 }],
    until: new Date(Date.now() + 172_800_000),
    ...more,
  };
  expect((await call("/api/hold", { token, json })).status).toBe(201);
  await run(`UPDATE holds SET until = ${until} WHERE id = '${id}'`);
}

async function sendQuote(id: string, more: object = {}) {
  const lines = [{ description: "Coaster", quantity: 4, amount: 60 }];
  expect(
    (await call("/api/quote", { token, json: { id, chatId, title: `Quote ${id}`, lines, ...more } })).status,
  ).toBe(201);
}

beforeAll(async () => {
  ({ token } = await manager());
  ({ token: adminToken } = await admin());
});

it("says when nothing waits", async () => {
  expect(await (await call(PATH, { token })).text()).toContain("Nothing waits");
  await saveHours([["00:00", "24:00"]], [{ day: day(1), spans: [], note: "" }]);
  const first = await (await call(PATH, { token: adminToken })).text();
  expect(first).toContain(", open until 24:00");
  // No night has been.
  expect(first).not.toContain("The night was good");
  expect(await today()).toMatchObject({ waiting: 0, conversations: [], holds: [], stock: [], problems: [] });
});

describe("what waits", () => {
  beforeAll(async () => {
    await addProduct({ id: "lamp", name: "Mushroom lamp", stock: 20 });
    await call("/api/customer", { token, json: { id: "ines", name: "Ines Carvalho" } });
    // A quote is an answer.
    ({ chatId } = await startChat({ initialMessage: "A quote, please", userName: "Elif" }));
    await placeHold("ends-soon", "unixepoch() + 1", { customerId: "ines" });
    await placeHold("ended", "unixepoch() - 1");
    await placeHold("long-ago", "unixepoch() - 172800");
    await placeHold("later", "unixepoch() + 172800");
    await sendQuote("unanswered");
    for (const id of ["no-day", "tomorrow", "late"]) await sendQuote(id);
    await run(`UPDATE quotes SET ready_by = '${day(1)}' WHERE id = 'tomorrow'`);
    await run(`UPDATE quotes SET ready_by = '${day(-1)}' WHERE id = 'late'`);
    await run("UPDATE quotes SET state = 'accepted' WHERE id IN ('no-day', 'tomorrow', 'late')");
    await runTasks(chatId);
  });

  it("lists the conversations that have waited longest first", async () => {
    const { chatId: first } = await startChat({ initialMessage: "Is it there?", userName: "Jonas" });
    const { chatId: second } = await startChat({ initialMessage: "Hello", userName: "Later" });
    const { conversations } = await today();
    expect(titles(conversations)).toEqual(["Jonas", "Later"]);
    expect(conversations[0]).toMatchObject({
      ...{ id: first, text: "Is it there?", path: `/admin/chat?chat=${first}` },
      acts: [{ name: "answer", method: "GET", path: `/admin/chat?chat=${first}` }],
    });
    await run(`UPDATE chats SET waiting_since = 1 WHERE id = '${second}'`);
    expect(titles((await today()).conversations)).toEqual(["Later", "Jonas"]);
  });

  it("leads back from a form that a row has opened", async () => {
    const cancels = async (from: string) => {
      const page = await call(`/admin/sales/new?hold=ends-soon&from=${from}`, { token });
      return /<a [^>]*href="([^"]*)"[^>]*>\s*Cancel/.exec(await page.text())?.[1];
    };
    expect(await cancels("today")).toBe("/admin/today");
    expect(await cancels("holds")).toBe("/admin/holds");
    for (const hostile of ["%2F%2Fevil.example", "constructor", "toString"])
      expect(await cancels(hostile)).toBe("/admin/documents");
    const form = await (await call("/admin/sales/new?quote=late&from=today", { token })).text();
    expect(form).toMatch(/action="\/admin\/sales\/new\?[^"]*quote=late[^"]*from=today/);
    const list = await (await call("/admin/today", { token })).text();
    expect(list).toContain("/admin/sales/new?quote=late&amp;from=today");
  });

  it("lists the holds that end today, also those that have ended", async () => {
    const { holds } = await today();
    expect(holds.map(({ id }) => id)).toEqual(["ended", "ends-soon"]);
    expect(holds[1]).toMatchObject({
      title: "Ines Carvalho",
      text: "1 × Mushroom lamp",
      path: "/admin/customers/ines",
    });
    expect(holds[1]?.acts.map(({ name, method, path }) => `${name}: ${method} ${path}`)).toEqual([
      "put back: DELETE /api/hold/ends-soon",
      "extend: PATCH /api/hold/ends-soon",
      "sold: GET /admin/sales/new?hold=ends-soon",
    ]);
    const [last, next] = [0, 1].map((ahead) => instantAt(`${day(ahead)}T00:00:00`, "America/Toronto"));
    await run(`UPDATE holds SET until = ${last} WHERE id = 'ended'`);
    await run(`UPDATE holds SET until = ${next} WHERE id = 'later'`);
    // An end at midnight is that of the day before.
    expect((await today()).holds.map(({ id }) => id)).toEqual(["ends-soon", "later"]);
    await run("UPDATE holds SET until = unixepoch() - 1 WHERE id = 'ended'");
    await run("UPDATE holds SET until = unixepoch() + 172800 WHERE id = 'later'");
  });

  it("lists and counts the holds of a night that ends tomorrow", async () => {
    const night = instantAt(`${day(1)}T01:00:00`, "America/Toronto");
    await run(`UPDATE holds SET until = ${night} WHERE id = 'later'`);
    const { holds, waiting } = await today();
    expect(holds.map(({ id }) => id)).toEqual(["ended", "ends-soon"]);
    await saveHours([
      ["00:00", "02:00"],
      ["18:00", "24:00"],
    ]);
    const late = await today();
    expect(late.holds.map(({ id }) => id)).toEqual(["ended", "ends-soon", "later"]);
    expect(late.waiting).toBe(waiting + 1);
    await saveHours([["00:00", "24:00"]]);
    await run("UPDATE holds SET until = unixepoch() + 172800 WHERE id = 'later'");
  });

  it("lists quotes without an answer, and jobs by the day that was promised", async () => {
    const { quotes, jobs } = await today();
    expect(quotes.map(({ id }) => id)).toEqual(["unanswered"]);
    expect(jobs.map(({ id }) => id)).toEqual(["late", "tomorrow", "no-day"]);
    expect(jobs[2]?.readyBy).toBeNull();
  });

  it("moves work that is ready to what waits for being fetched, and back", async () => {
    const ready = (id: string, isReady: boolean, by = token) =>
      call(`/api/quote/${id}/ready`, { method: "PUT", json: { isReady }, token: by });
    const lists = async () => {
      const { jobs, pickUps } = await today();
      return [jobs.map(({ id }) => id), pickUps.map(({ id }) => id)];
    };
    const { jobs } = await today();
    expect(jobs[0]?.acts.map(({ name, method, path }) => `${name}: ${method} ${path}`)).toEqual([
      "ready: PUT /api/quote/late/ready",
      "sold: GET /admin/sales/new?quote=late",
    ]);
    const answers = await Promise.all([ready("late", true), ready("late", true)]);
    const [first, second] = (await Promise.all(answers.map((answer) => answer.json()))) as {
      readyAt: object;
    }[];
    expect(first?.readyAt).toEqual(second?.readyAt);
    expect(await lists()).toEqual([["tomorrow", "no-day"], ["late"]]);
    expect((await today()).pickUps[0]?.acts.map(({ name }) => name)).toEqual(["sold"]);
    const html = await (await call(PATH, { token })).text();
    expect(html).toContain("Pick-ups");
    expect((await send({ intent: "notReady", quoteId: "late" })).status).toBe(303);
    expect(await lists()).toEqual([["late", "tomorrow", "no-day"], []]);
    const log = await env.DB.prepare(
      "SELECT action FROM audit_log WHERE object = 'quote' AND object_id = 'late' AND action LIKE 'made%' ORDER BY seq",
    ).all<{ action: string }>();
    expect(log.results.map(({ action }) => action)).toEqual(["madeReady", "madeUnready"]);
    const { token: customer } = await person();
    expect((await ready("late", true, customer)).status).toBe(403);
    expect((await ready("none", true)).status).toBe(404);
    expect((await ready("unanswered", true)).status).toBe(409);
  });

  it("lists what ran out or low last, of each unit once", async () => {
    const stock = async (id: string, ...levels: number[]) => {
      await addProduct({ id, name: id, stock: 9 });
      for (const level of levels)
        await call(`/api/product/${id}`, { method: "PUT", token, json: { stock: level } });
    };
    await stock("low", 3, 2);
    await stock("out", 1, 0);
    await stock("filled", 2, 30);
    const rows = (await today()).stock;
    expect(rows.map(({ id, text }) => [id, text])).toEqual([
      ["out", "Out"],
      ["low", "2 left"],
    ]);
  });

  it("counts what waits in the navigation", async () => {
    const { waiting } = await today();
    expect(waiting).toBe(2 + 2 + 1 + 3);
    const html = (await (await call("/admin/customers", { token })).text()).replaceAll("<!-- -->", "");
    expect(html).toContain("waiting: </span>8</span>");
  });

  it("leads to the conversations that have no row", async () => {
    const html = async () => (await call(PATH, { token })).text();
    expect(await html()).not.toContain("more without an answer");
    for (const initialMessage of ["Third", "Fourth", "Fifth", "Sixth"]) await startChat({ initialMessage });
    expect((await today()).conversations).toHaveLength(4);
    expect(await html()).toContain("6 without an answer, oldest first");
    expect(await html()).toMatch(/href="\/admin\/chat\?filter=unanswered"[^>]*>2 more without an answer/);
  });

  it("is for staff, and the night for admins", async () => {
    const { token: customer } = await person();
    expect((await call("/api/today", { token: customer })).status).toBe(403);
    expect((await call("/api/today")).status).toBe(401);
    expect((await call(PATH, { token: customer })).headers.get("Location")).toBe("/unauthorized");
    await run("UPDATE d1_migrations SET applied_at = '2020-01-01 00:00:00'");
    expect((await today()).problems).toEqual([]);
    const { problems } = await json<Today>(call("/api/today", { token: adminToken }));
    expect(problems).toContain("No backup has ever been completed");
    expect(await (await call(PATH, { token: adminToken })).text()).toContain(
      "No backup has ever been completed",
    );
    expect(await (await call(PATH, { token })).text()).not.toContain("No backup");
  });
});

describe("acts", () => {
  it("add pieces once for each form", async () => {
    await addProduct({ id: "tray", name: "Tray", stock: 1 });
    const fields = { intent: "addStock", unitId: "tray", pieces: "4", change: "change-1" };
    const answers = [await send(fields), await send(fields)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const { results } = await env.DB.prepare("SELECT stock FROM products WHERE id = 'tray'").all();
    expect(results).toEqual([{ stock: 5 }]);
  });

  it.each([
    ["0", 400],
    ["-3", 400],
    ["=7", 400],
    ["2.5", 400],
    ["99999999999", 400],
  ])("refuses %s pieces", async (pieces, status) => {
    const answer = await send({ intent: "addStock", unitId: "tray", pieces, change: "change-2" });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain("Stock not saved: Must be a whole number");
  });

  it("take a release back while the pieces are there, once, and name what was put back for whom", async () => {
    await addProduct({ id: "once", name: "Oak tray", stock: 1 });
    await placeHold("for-emil", "unixepoch() + 7200", {
      chatId,
      lines: [{ productId: "once", quantity: 1 }],
    });
    const put = await send({ intent: "release", holdId: "for-emil" });
    const cookie = put.headers
      .getSetCookie()
      .map((each) => each.split(";", 1)[0])
      .join("; ");
    const said = await (await call(PATH, { token, cookie })).text();
    expect(said).toMatch(/Put back, for \w+<\/b><small>1 × Oak tray/);
    expect(said).toMatch(
      /name="id" value="for-emil"[\s\S]*value="holdAgain"|value="holdAgain"[\s\S]*value="for-emil"/,
    );
    const again = () => send({ intent: "holdAgain", id: "for-emil" });
    expect([(await again()).status, (await again()).status]).toEqual([303, 303]);
    const held = async () =>
      await env.DB.prepare("SELECT held FROM products WHERE id = 'once'").first("held");
    expect(await held()).toBe(1);
    const { results } = await env.DB.prepare(
      "SELECT id, chat_id, until > unixepoch() + 6000 AS ends FROM holds WHERE state = 'active' AND id IN (SELECT hold_id FROM hold_lines WHERE unit_id = 'once')",
    ).all<{ id: string; ends: number }>();
    expect(results).toEqual([{ id: expect.any(String), chat_id: chatId, ends: 1 }]);
    // Somebody else takes the piece: nothing is set aside, and the page says why.
    expect((await send({ intent: "release", holdId: results[0]?.id ?? "" })).status).toBe(303);
    expect((await again()).status).toBe(409);
    await setStock("once", 0);
    expect((await send({ intent: "holdAgain", id: results[0]?.id ?? "" })).status).toBe(409);
    expect(await held()).toBe(0);
    expect((await send({ intent: "holdAgain", id: "none" })).status).toBe(409);
  });

  it("refuse a hold that has ended or is none, and say so", async () => {
    expect(await (await send({ intent: "extend", holdId: "ended" })).text()).toContain(
      "This hold has ended.",
    );
    expect((await send({ intent: "release", holdId: "none" })).status).toBe(404);
    expect((await send({ intent: "release", holdId: "ended" })).status).toBe(303);
    expect((await today()).holds.map(({ id }) => id)).toEqual(["ends-soon"]);
  });

  it("are for staff", async () => {
    const { token: customer } = await person();
    const body = new URLSearchParams({ intent: "release", holdId: "ends-soon" });
    const answer = await call(PATH, { method: "POST", body, token: customer });
    expect(answer.headers.get("Location")).toBe("/unauthorized");
    expect((await today()).holds).toHaveLength(1);
  });
});

describe("the first page", () => {
  it("is chosen by each person, and sign-in leads there", async () => {
    const chosen = await send({ intent: "firstPage", isFirst: "true" });
    const [cookie = ""] = (
      chosen.headers.getSetCookie().find((each) => each.startsWith("emporia_today=")) ?? ""
    ).split(";");
    expect(cookie).not.toBe("");
    const at = (path: string, by: string) => call(path, { token: by, cookie });
    const landing = async (path: string, by = token) => (await at(path, by)).headers.get("Location");
    expect(await landing("/login")).toBe(PATH);
    expect(await landing("/login?redirectTo=/admin")).toBe(PATH);
    expect(await landing("/login?redirectTo=/admin/customers")).toBe("/admin/customers");
    expect(await landing("/login", adminToken)).toBe("/admin");
    const shell = await json<{ firstPage: string }>(at("/admin?_data=routes%2Fadmin", token));
    expect(shell.firstPage).toBe(PATH);
    // The dashboard stays where it is.
    expect((await at("/admin", token)).status).toBe(200);
    const undone = await send({ intent: "firstPage" }, cookie);
    expect(undone.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^emporia_today=.*Max-Age=0/));
  });

  it.each(["emporia_today=bm90anNvbg", "emporia_today=eyJhIjoxfQ", "emporia_today=%00"])(
    "is the dashboard for the cookie %s",
    async (cookie) => {
      expect((await call("/login", { token, headers: { Cookie: cookie } })).headers.get("Location")).toBe(
        "/admin",
      );
    },
  );
});
