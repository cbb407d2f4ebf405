import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { maintainAuditLog } from "~/features/audit/operations.server";
import { staffToken } from "../support/chat";
import { addEntry } from "../support/ledger";
import { allSteps } from "../support/nightly";
import { ok, operate } from "../support/operator";
import { addProduct } from "../support/shop";

const read = async (name: string, seq = 0) =>
  (await (await ok(operate("GET", `read?name=${name}&seq=${seq}`))).json()) as Record<string, unknown>[];

beforeAll(async () => {
  const token = await staffToken();
  await addProduct({ id: "lamp", stock: 3 });
  for (const description of ["Lamp", "Tray"]) await addEntry("invoice", { description }, token);
});

describe("reads of the checks of an operator", () => {
  it("name the sums that differ and the invariants that are violated", async () => {
    await env.DB.prepare("UPDATE sale_totals SET entries = entries + 1").run();
    await env.DB.prepare("UPDATE units SET held = 2 WHERE id = 'lamp'").run();
    expect(await read("ledger")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ sums: "sale_totals", stored: expect.stringMatching(/^3 /) }),
        { invariant: "pieces on hold are those of the counted lines", id: "lamp" },
      ]),
    );
  });

  it("give the audit log with its seals, from a row on", async () => {
    const noted = await allSteps(maintainAuditLog, () => env as Env);
    const [ends] = await read("audit-ends");
    expect(ends).toEqual({ rows: ends?.seals, seals: expect.any(Number) });
    const last = Number(ends?.seals);
    const rows = await read("audit-rows", last - 1);
    expect(rows).toEqual([expect.objectContaining({ seq: last, hash: expect.any(String) })]);
    expect(await read("audit-seal", last)).toEqual([{ hash: rows[0]?.hash }]);
    expect(noted).toBe(`whole to row ${last}, ${rows[0]?.hash}`);
  });

  it.each([
    ["another name", "read?name=users", 404],
    ["a name of every object", "read?name=constructor", 404],
    ["no name", "read", 404],
    ["more than a number", "read?name=audit-seal&seq=1%20OR%201", 400],
  ])("refuse %s", async (_, path, status) => {
    expect((await operate("GET", path)).status).toBe(status);
  });

  it("need the key", async () => {
    expect((await operate("GET", "read?name=ledger", undefined, "another key")).status).toBe(404);
  });
});
