import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import worker from "worker-under-test";
import { maintainAuditLog } from "~/features/audit/operations.server";
import { WATCH_CRON } from "../../workers/nightly";
import { startChat } from "../support/chat";
import { costOf } from "../support/cost";
import { addEntry } from "../support/ledger";
import { allSteps } from "../support/nightly";
import { admin, manager } from "../support/people";
import { hold, json, sendQuote } from "../support/sales";
import { addProduct, addUser, call, insert } from "../support/shop";

/** Rows of a log that is long enough to show what a page reads; the plans hold for any number. */
const MANY = 5000;
let token: string;

beforeAll(async () => {
  ({ token } = await admin());
  await env.DB.prepare(
    `INSERT INTO audit_log WITH RECURSIVE many(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM many WHERE value < ${MANY})
     SELECT value, unixepoch() - 2 * (${MANY} - value),
       CASE value % 5 WHEN 0 THEN 'import' WHEN 1 THEN 'system' ELSE 'staff' END,
       CASE value % 5 WHEN 1 THEN NULL ELSE 'person-' || (value % 7) END, NULL, 'changed',
       CASE value % 3 WHEN 0 THEN 'product' WHEN 1 THEN 'invoice' ELSE 'customer' END, 'object-' || (value % 50),
       '{"priceCents":[3400,3200]}' FROM many`,
  ).run();
  const times = { created_at: 0, updated_at: 0, last_seen: 0 };
  const named = { id: "object-1", name: "Zed Quill 1", name_key: "zed quill 1", request_hash: "1" };
  await insert("customers", [{ ...times, ...named }]);
});

const run = (statement: string) => env.DB.prepare(statement).run();
const maintained = () => allSteps(maintainAuditLog, () => env as Env);
const number = (query: string) => env.DB.prepare(query).first<number>("n");

describe("the chain of the audit log", () => {
  it("refuses changes and deletions of rows and seals", async () => {
    await worker.scheduled(
      createScheduledController({ cron: WATCH_CRON }),
      env as Env,
      createExecutionContext(),
    );
    expect(await number("SELECT max(seq) AS n FROM audit_seals")).toBe(MANY);
    expect(await number("SELECT count(*) AS n FROM nightly_runs"), "no nightly run").toBe(0);
    for (const statement of [
      "UPDATE audit_log SET author_id = 'nobody'",
      "DELETE FROM audit_log",
      "UPDATE audit_seals SET hash = ''",
      "DELETE FROM audit_seals",
      "INSERT OR REPLACE INTO audit_log SELECT seq, at, author_kind, 'nobody', NULL, action, object, object_id, changes FROM audit_log",
    ])
      await expect(run(statement), statement).rejects.toThrow(/audit log/);
    await run("INSERT OR REPLACE INTO audit_seals SELECT seq, '' FROM audit_seals");
    expect(await number("SELECT count(*) AS n FROM audit_seals WHERE hash = ''")).toBe(0);
  });

  it("names the first row that differs, is missing or has no seal", async () => {
    expect(await maintained()).toMatch(new RegExp(`^whole to row ${MANY}, [0-9a-f]{64}$`));
    for (const table of ["audit_log", "audit_seals"])
      for (const act of ["update", "delete"]) await run(`DROP TRIGGER ${table}_${act}`);
    const changed = await env.DB.prepare("SELECT * FROM audit_log WHERE seq = 4711").first();
    await run("UPDATE audit_log SET changes = '{}' WHERE seq IN (4711, 4800)");
    await expect(maintained()).rejects.toThrow("Row 4711 of the audit log differs");
    await env.DB.prepare("UPDATE audit_log SET changes = ? WHERE seq IN (4711, 4800)")
      .bind(changed?.changes)
      .run();
    await run("CREATE TABLE taken AS SELECT * FROM audit_seals WHERE seq = 42");
    await run("DELETE FROM audit_seals WHERE seq = 42");
    await expect(maintained()).rejects.toThrow("Row 42 of the audit log has no seal");
    await run("INSERT INTO audit_seals SELECT * FROM taken");
    await run("DROP TABLE taken");
    await run(`DELETE FROM audit_log WHERE seq = ${MANY}`);
    await expect(maintained()).rejects.toThrow(`Row ${MANY} of the audit log is missing`);
    await run(`DELETE FROM audit_seals WHERE seq = ${MANY}`);
    await maintained();
  });

  it("was cut off at its end when the row is gone that the last nightly run has noted", async () => {
    const result = await maintained();
    const jobs = JSON.stringify([{ job: "audit log", result, failed: false }]);
    await env.DB.prepare("INSERT INTO nightly_runs VALUES (1, 1, ?)").bind(jobs).run();
    expect(await maintained()).toBe(result);
    for (const table of ["audit_log", "audit_seals"]) {
      await run(`CREATE TABLE kept_${table} AS SELECT * FROM ${table} WHERE seq > 4900`);
      await run(`DELETE FROM ${table} WHERE seq > 4900`);
    }
    await expect(maintained()).rejects.toThrow(
      `Row ${MANY - 1} of the audit log is not what an earlier run has noted`,
    );
    for (const table of ["audit_log", "audit_seals"]) {
      await run(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
      await run(`DROP TABLE kept_${table}`);
    }
    await run("DELETE FROM nightly_runs");
  });

  it("deletes rows after two years and continues the chain behind them", async () => {
    await run("DELETE FROM audit_seals");
    await run("UPDATE audit_log SET at = unixepoch() - 731 * 86400 - 60 WHERE seq <= 3");
    await maintained();
    expect(await number("SELECT min(seq) AS n FROM audit_log")).toBe(4);
    expect(await number("SELECT min(seq) AS n FROM audit_seals")).toBe(3);
    expect(await maintained()).toContain(`row ${MANY},`);
    const trimmed = await env.DB.prepare("SELECT * FROM audit_log WHERE action = 'trimmed'").all();
    expect(trimmed.results).toMatchObject([{ seq: MANY, author_kind: "system", object: "auditLog" }]);
    expect(JSON.parse(String(trimmed.results[0]?.changes))).toMatchObject({ through: [null, 3] });
  });

  it("does not begin later than it says: rows that are cut off at its beginning are missing", async () => {
    await run("CREATE TABLE first_rows AS SELECT * FROM audit_log WHERE seq <= 100");
    await run("CREATE TABLE first_seals AS SELECT * FROM audit_seals WHERE seq < 100");
    await run("DELETE FROM audit_log WHERE seq <= 100");
    await expect(maintained()).rejects.toThrow("Row 4 of the audit log is missing");
    await run("DELETE FROM audit_seals WHERE seq < 100");
    await expect(maintained()).rejects.toThrow("Row 4 of the audit log is missing");
    for (const table of ["rows", "seals"]) {
      await run(`INSERT INTO audit_${table === "rows" ? "log" : "seals"} SELECT * FROM first_${table}`);
      await run(`DROP TABLE first_${table}`);
    }
    expect(await maintained()).toContain(`row ${MANY},`);
  });
});

describe("the screen of the audit log", () => {
  it("is for admins", async () => {
    const other = await manager();
    for (const path of ["/admin/audit", "/admin/audit.csv"])
      expect((await call(path, { token: other.token })).status).toBe(403);
  });

  it.each([
    "",
    "person=system",
    "person=user-person-3",
    "person=import&kind=products",
    "kind=sales",
    "kind=ledger",
    "kind=customers&from=2020-01-01",
    "from=2020-01-01&to=2090-01-01",
    "id=object-7",
    "q=object-7",
    "q=quill",
    "row=4990",
  ])(`reads 250 rows of ${MANY} at most: %s`, async (query) => {
    const answer = await call(`/admin/audit?${query}`, { token });
    expect(answer.status).toBe(200);
    if (!query.startsWith("kind=sales")) expect(await answer.text()).toContain("$34.00");
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
  });

  it("leads to older rows and back, without a row twice or left out", async () => {
    const numbers = (html: string) => [...html.matchAll(/<tr id="row-(\d+)"/g)].map(([, seq]) => Number(seq));
    const link = (html: string, rel: string) =>
      new RegExp(`rel="${rel}"[^>]* href="([^"]+)"`).exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const first = await (await call("/admin/audit?kind=ledger", { token })).text();
    const second = await (await call(link(first, "next"), { token })).text();
    expect(numbers(second)).toHaveLength(30);
    const all = [...numbers(first), ...numbers(second)];
    expect(all).toEqual([...new Set(all)].sort((a, b) => b - a));
    expect(all.every((seq, i) => i === 0 || (all[i - 1] ?? 0) - seq === 3)).toBe(true);
    const back = await (await call(link(second, "prev"), { token })).text();
    expect(numbers(back)).toEqual(numbers(first));
  });

  it("leads through rows of one second, each once", async () => {
    await run(`INSERT INTO audit_log WITH RECURSIVE many(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM many WHERE value < 60)
      SELECT NULL, unixepoch() - 30 * 86400, 'staff', 'person-1', NULL, 'changed', 'product', 'at-once', '{}' FROM many`);
    for (const query of ["id=at-once", "q=at-once"]) {
      const seen: string[] = [];
      let pages = 0;
      for (let path = `/admin/audit?${query}`; path; pages++) {
        const page = await (await call(path, { token })).text();
        seen.push(...[...page.matchAll(/<tr id="(row-\d+)"/g)].map(([, row]) => row ?? ""));
        path = /rel="next"[^>]* href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
      }
      expect([pages, seen.length, new Set(seen).size], query).toEqual([2, 60, 60]);
    }
  });

  it("shows a change with its object, the object's history and a file without formulas", async () => {
    const product = { id: "stand", name: "=Stand", price: 34, stock: 4, category: "OTHERS", imageUrls: [] };
    await call("/api/product", { json: product, token });
    await call("/api/product/stand", { method: "PUT", json: { price: 32 }, token });
    const found = await (await call("/admin/audit?kind=products&q=%3Dstand", { token })).text();
    for (const text of ["$34.00", "$32.00", "=Stand", "Pat Example"]) expect(found).toContain(text);
    const history = await (await call("/admin/audit?id=stand", { token })).text();
    expect(history.match(/<tr id="row-/g)).toHaveLength(2);
    const page = "/admin/products-management?edit=stand";
    expect(await (await call(page, { token })).text()).toContain(
      "Pat Example: changed. Price: $34.00 → $32.00",
    );
    const other = await manager();
    expect(await (await call(page, { token: other.token })).text()).not.toContain("Recorded changes");
    const file = await (await call("/admin/audit.csv?id=stand", { token })).text();
    expect(file).toContain("'=Stand");
    expect(file).toContain("Price: $34.00 → $32.00");
    const [, time = ""] = /^\d+,(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d),/m.exec(file) ?? [];
    const at = await number("SELECT max(at) AS n FROM audit_log WHERE object_id = 'stand'");
    expect(Date.parse(time)).toBe((at ?? 0) * 1000);
    expect(time).toMatch(/-0[45]:00$/);
  });

  it("names what is gone by its last name, within 250 rows; of a person it keeps none", async () => {
    const product = {
      id: "board",
      name: "Walnut board",
      price: 34,
      stock: 4,
      category: "OTHERS",
      imageUrls: [],
    };
    await call("/api/product", { json: product, token });
    for (let price = 35; price < 60; price++)
      await call("/api/product/board", {
        method: "PUT",
        json: { price, ...(price === 40 && { name: "Oak board" }) },
        token,
      });
    const sale = { paymentMode: "CASH", lines: [{ productId: "board", quantity: 1, amount: 34 }] };
    await call("/api/sale", { json: sale, token });
    const [spent, unnamed] = [
      await addEntry("expense", { description: "Oak boards", amount: 20 }, token),
      await addEntry("invoice", { description: "", amount: 20 }, token),
    ];
    const customer = { name: "Kofi Mensah", email: "kofi@mail.example" };
    const { id: customerId } = await json<{ id: string }>(call("/api/customer", { json: customer, token }));
    const gone = [`product/board`, `expense/${spent.id}`, `invoice/${unnamed.id}`];
    for (const path of gone)
      expect((await call(`/api/${path}`, { method: "DELETE", token })).status).toBe(200);
    await run(`DELETE FROM customers WHERE id = '${customerId}'`);
    const what = async (id: string) => {
      const answer = await call(`/admin/audit?id=${id}`, { token });
      expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
      const cells = [...(await answer.text()).matchAll(/<td class="cell-what[^"]*">(.*?)<\/td>/g)];
      return cells.map(([, cell = ""]) => cell.replace(/<[^>]*>/g, "").trim());
    };
    const rows = await what("board");
    expect([rows[0], rows.at(-1)]).toEqual([
      "Deleted product Oak board",
      "Created product Oak board (deleted)",
    ]);
    expect(rows.slice(1, -1)).toEqual(Array(rows.length - 2).fill("Changed product Oak board (deleted)"));
    expect(rows).toHaveLength(27);
    expect(await what(spent.id)).toEqual([
      "Deleted expense Oak boards",
      "Created expense Oak boards (deleted)",
    ]);
    expect(await what(unnamed.id)).toEqual(["Deleted invoice", "Created invoice (deleted)"]);
    expect(await what(customerId)).toEqual(["Created customer (deleted)"]);
    const sold = await number("SELECT max(seq) AS n FROM audit_log WHERE object = 'document'");
    const opened = await (await call(`/admin/audit?kind=sales&row=${sold}`, { token })).text();
    expect(opened).toContain("Oak board (deleted)");
  });

  it("names the person of the filter who is not of the staff, and the year of another year", async () => {
    const id = "wren";
    await addUser({ id, firstName: "Wren", lastName: "Ito" });
    const at = Date.UTC(2019, 4, 8, 12) / 1000;
    const changed = { author_kind: "customer", action: "changed", object: "user", changes: "{}" };
    await insert("audit_log", [{ at, author_id: id, object_id: id, ...changed }]);
    const html = await (await call(`/admin/audit?person=user-${id}`, { token })).text();
    expect(html).toMatch(new RegExp(`<option value="user-${id}" selected="">Wren Ito</option>`));
    expect(html).toContain("8th May 2019, 08:00</time>");
  });

  it("shows the second of an opened row", async () => {
    const at = await number("SELECT at AS n FROM audit_log WHERE seq = 4990");
    const html = await (await call("/admin/audit?id=object-40&row=4990", { token })).text();
    const second = String((at ?? 0) % 60).padStart(2, "0");
    expect(html).toMatch(new RegExp(`<dd>\\d+\\w\\w \\w{3} \\d{4}, \\d\\d:\\d\\d:${second}</dd>`));
  });
});

describe("the search of the audit log", () => {
  it("merges the histories of several objects and reads no more of them the longer they are", async () => {
    const times = { created_at: 0, updated_at: 0, last_seen: 0 };
    const named = (i: number) => ({
      id: `long-${i}`,
      name: `Marta Long ${i}`,
      name_key: `marta long ${i}`,
      request_hash: `l${i}`,
    });
    await insert(
      "customers",
      Array.from({ length: 15 }, (_, i) => ({ ...times, ...named(i) })),
    );
    await run(`INSERT INTO audit_log WITH RECURSIVE many(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM many WHERE value < 1499)
      SELECT NULL, unixepoch() - 4000 + value / 4, 'system', NULL, NULL, 'changed', 'customer', 'long-' || (value * 7 % 15),
        '{"priceCents":[3400,3200]}' FROM many`);
    const numbers = (html: string) => [...html.matchAll(/<tr id="row-(\d+)"/g)].map(([, seq]) => Number(seq));
    const six = await call("/admin/audit?q=marta+long+1", { token });
    // 4 of them count what waits, for the navigation, and two ask for hidden and deleted products.
    expect(costOf(six).rowsRead).toBeLessThanOrEqual(256);
    const seen: number[] = [];
    let path = "/admin/audit?q=marta+long";
    for (let page = 0; page < 3; page++) {
      const answer = await call(path, { token });
      expect(costOf(answer).rowsRead).toBeLessThanOrEqual(332);
      const html = await answer.text();
      seen.push(...numbers(html));
      path = /rel="next"[^>]* href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
    }
    const last = (await number("SELECT max(seq) AS n FROM audit_log WHERE object_id LIKE 'long-%'")) ?? 0;
    expect(seen).toEqual(Array.from({ length: 90 }, (_, i) => last - i));
  });

  const objects = async (query: string) => {
    const answer = await call(`/admin/audit?${new URLSearchParams(query)}`, { token });
    expect(answer.status).toBe(200);
    expect(costOf(answer).rowsRead).toBeLessThanOrEqual(250);
    const file = await (await call(`/admin/audit.csv?${new URLSearchParams(query)}`, { token })).text();
    return [...file.matchAll(/^\d+,.*$/gm)].map(([line]) => line);
  };

  it("finds holds and quotes by their customer or visitor", async () => {
    const productId = await addProduct({ name: "Engraved oak tray", stock: 9 });
    const lines = [{ productId, quantity: 1 }];
    const { chatId } = await startChat({ userName: "Ines Carvalho" });
    const customer = { name: "Kwame Adeyemi", email: "kwame@mail.example" };
    const { id: customerId } = await json<{ id: string }>(call("/api/customer", { json: customer, token }));
    for (const whose of [{ customerId }, { chatId }])
      expect((await hold(token, { ...whose, lines })).status).toBe(201);
    await sendQuote(token, chatId);
    for (const q of ["Adeyemi", "kwame", "mail.example", "ad"])
      expect((await objects(`q=${q}&kind=sales`)).join(), q).toContain("Set aside,hold,Kwame Adeyemi");
    for (const q of ["Carvalho", "ines c", "in"]) {
      const found = (await objects(`q=${q}&kind=sales`)).join("\n");
      expect(found, q).toContain("Set aside,hold,Ines Carvalho");
      expect(found, q).toContain("Sent,quote,");
      expect(found, q).not.toContain("Adeyemi");
    }
  });

  it("finds users by any part, products by any word's beginning, entries by their description", async () => {
    const user = await addUser({ firstName: "Pw", lastName: "Underwood", email: "till@north.example" });
    await call(`/api/user/${user.id}`, { method: "PUT", json: { isManager: true }, token });
    const product = { name: "Soft silicone moss", price: 34, stock: 4, category: "OTHERS", imageUrls: [] };
    await call("/api/product", { json: product, token });
    await addEntry("expense", { description: "@SUM(1) taxi", amount: 24.5 }, token);
    await addEntry("invoice", { description: "Walnut engraving", amount: 24.5 }, token);
    for (const [q, found] of [
      ["derwood", "user,Pw Underwood"],
      ["Pw Under", "user,Pw Underwood"],
      ["north.ex", "user,Pw Underwood"],
      ["moss", "product,Soft silicone moss"],
      ["sili", "product,Soft silicone moss"],
      ["silicone mo", "product,Soft silicone moss"],
      ["SUM", "expense,"],
      ["engrav", "invoice,"],
    ] as const)
      expect((await objects(`q=${encodeURIComponent(q)}`)).join("\n"), q).toContain(found);
    expect(await objects("q=nothing of the kind")).toEqual([]);
    expect(await objects('q="" OR *&kind=products')).toEqual([]);
  });

  it("finds products that are hidden or deleted, by any word's beginning", async () => {
    const product = { price: 34, stock: 4, category: "OTHERS", imageUrls: [] };
    for (const [id, name] of [
      ["veiled", "Veiled Straßen lamp"],
      ["felled", "Felled Straßen lamp"],
    ])
      await call("/api/product", { json: { ...product, id, name }, token });
    await call("/api/product/veiled", { method: "PUT", json: { isHidden: true }, token });
    expect((await call("/api/product/felled", { method: "DELETE", token })).status).toBe(200);
    for (const q of ["felled", "Fel", "strassen lam", "STRASSEN", "fe"]) {
      const found = (await objects(`q=${q}&kind=products`)).join("\n");
      expect(found, q).toContain("Created,product,Felled Straßen lamp");
      expect(found, q).toContain("Deleted,product,Felled Straßen lamp");
    }
    expect((await objects("q=strassen")).join("\n")).toContain("product,Veiled Straßen lamp");
    expect((await objects("q=veiled")).join("\n")).not.toContain("Felled");
  });

  it("reads 250 rows at most where many deleted products have a name, and forgets the names with the log", async () => {
    await run(`INSERT INTO audit_log WITH RECURSIVE many(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM many WHERE value < 400)
      SELECT NULL, unixepoch() - 731 * 86400 - 60, 'system', NULL, NULL, 'deleted', 'product', 'crate-' || value,
        json_object('name', json_array('Cedar crate ' || value, NULL)) FROM many`);
    expect(await objects("q=cedar&kind=products")).toHaveLength(10);
    const crates = "SELECT count(*) AS n FROM deleted_search WHERE deleted_search MATCH 'cedar'";
    expect(await number(crates)).toBe(400);
    await run("DELETE FROM audit_log WHERE object_id IN ('crate-1', 'crate-2')");
    expect(await number(crates)).toBe(398);
  });
});
