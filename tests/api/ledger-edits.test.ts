import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { expenses, invoices } from "~/features/ledger/operations/kinds.server";
import { INVOICE_RULES } from "~/features/ledger-pages/page.server";
import type { AppError } from "~/http/errors";
import { parseListParams } from "~/ui/DataTable/list-params";
import { addEntry, type Entry, KINDS, ledgerContext } from "../support/ledger";
import { admin, readAnswer } from "../support/people";
import { call } from "../support/shop";

let token: string;

beforeAll(async () => {
  token = (await admin()).token;
});

const WALNUT = {
  id: "walnut",
  description: "Walnut board",
  category: "ENGRAVING",
  paymentMode: "CARD",
  businessType: "LASER",
  amount: 128,
  quantity: 1,
  createdAt: "2026-11-21",
};

describe.each(KINDS)("PUT and DELETE $kind/{id}", ({ kind, base, title }) => {
  it("updates the sent fields only", async () => {
    const { id } = await addEntry(kind, {}, token);
    const answer = await call(`/api/${kind}/${id}`, { method: "PUT", json: { amount: "7.05" }, token });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ ...base, id, amount: 7.05 });
  });

  it("uses the id of the path, not of the body", async () => {
    const [mine, other] = [await addEntry(kind, {}, token), await addEntry(kind, {}, token)];
    const json = { id: other.id, description: "Mine" };
    const answer = await call(`/api/${kind}/${mine.id}`, { method: "PUT", json, token });
    expect(((await answer.json()) as Entry).id).toBe(mine.id);
  });

  it("keeps the time of an unchanged day and sets another day to noon", async () => {
    const { id, createdAt } = await addEntry(kind, { createdAt: "2026-09-21T10:13:20" }, token);
    const put = async (day: string) => {
      const answer = await call(`/api/${kind}/${id}`, { method: "PUT", json: { createdAt: day }, token });
      return ((await answer.json()) as Entry).createdAt.seconds;
    };
    expect(await put("2026-09-21")).toBe(createdAt.seconds);
    expect(await put("2026-09-22")).toBe(Date.UTC(2026, 8, 22, 16) / 1000);
  });

  it("rejects an outdated version", async () => {
    const { id } = await addEntry(kind, {}, token);
    const put = (json: unknown) => call(`/api/${kind}/${id}`, { method: "PUT", json, token });
    expect((await put({ amount: 40, version: 1 })).status).toBe(200);
    const late = await put({ amount: 50, version: 1 });
    expect(late.status).toBe(409);
    expect((await readAnswer(late)).message).toBe(`Somebody else has just changed this ${kind}.`);
    expect(((await (await put({})).json()) as Entry).amount).toBe(40);
    expect((await put({ amount: 60 })).status).toBe(200);
  });

  it("deletes once; later requests are 404", async () => {
    const { id } = await addEntry(kind, {}, token);
    const first = await call(`/api/${kind}/${id}`, { method: "DELETE", token });
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({
      message: `${title} deleted successfully`,
      deleted: { ...base, id },
    });
    for (const method of ["DELETE", "PUT"]) {
      const again = await call(`/api/${kind}/${id}`, { method, json: {}, token });
      expect(again.status).toBe(404);
      expect((await readAnswer(again)).ERR_MSG).toBe(`${title} not found`);
    }
  });
});

describe("concurrent edits of one entry", () => {
  const form = async (fields: Record<string, unknown>) => {
    const base = { ...WALNUT, amount: "128.00", quantity: "1" };
    return invoices.updateByForm.execute(ledgerContext(), { ...base, ...fields });
  };
  const page = (query: string) =>
    invoices.readPage(ledgerContext(), parseListParams(new URLSearchParams(query), INVOICE_RULES));

  beforeAll(async () => {
    await addEntry("invoice", WALNUT, token);
  });

  it("rejects a stale form and reports the conflicting fields", async () => {
    await form({ version: "1", amount: "130", paymentMode: "EMT" });
    const late = await form({ version: "1", description: "Walnut board, large" }).catch(
      (error: AppError) => error,
    );
    expect(late).toMatchObject({
      code: "conflict",
      message: "Somebody else has just changed this invoice.",
      details: [
        { path: "description", message: "Now Walnut board" },
        { path: "paymentMode", message: "Now EMT" },
        { path: "amount", message: "Now $130.00" },
      ],
    });
    expect((await page("q=walnut")).rows[0]).toMatchObject({
      amountCents: 13_000,
      paymentMode: "EMT",
      version: 2,
    });
    await form({ version: "2", description: "Walnut board, large" });
    expect((await page("q=walnut board, large")).rows[0]).toMatchObject({ amountCents: 12_800, version: 3 });
    expect((await page("q=rd, la")).total).toBe(1);
  });

  it("reports only fields that the other person changed", async () => {
    const opened = { ...WALNUT, id: "walnut-2", amount: "128.00", quantity: "1" };
    const { id: _, ...was } = opened;
    await addEntry("invoice", { ...WALNUT, id: opened.id }, token);
    const save = (fields: object) =>
      invoices.updateByForm
        .execute(ledgerContext(), { ...opened, version: "1", was: JSON.stringify(was), ...fields })
        .catch(({ details, fieldValues }: AppError) => ({ details, fieldValues }));
    await save({ amount: "130", category: "OTHERS" });
    const later = { description: "Walnut board, large", quantity: "3", category: "OTHERS" };
    expect(await save(later)).toEqual({
      details: [{ path: "amount", message: "Changed to $130.00 meanwhile" }],
      fieldValues: { amount: "130.00" },
    });
    expect(await save({ ...later, amount: "140" })).toEqual({
      details: [{ path: "amount", message: "Now $130.00" }],
      fieldValues: {},
    });
    expect(await save({ ...later, was: "{" })).toMatchObject({ details: { length: 3 }, fieldValues: {} });
  });

  it("accepts equal edits", async () => {
    await addEntry("invoice", { ...WALNUT, id: "walnut-3" }, token);
    const save = () =>
      invoices.updateByForm.execute(ledgerContext(), {
        ...WALNUT,
        id: "walnut-3",
        amount: "99",
        version: "1",
      });
    await save();
    expect(await save()).toMatchObject({ amount: 99 });
  });

  it("requires every field of a form", async () => {
    const bare = await form({ version: "3", amount: "", createdAt: "", quantity: "" }).catch(
      (error: AppError) => error,
    );
    expect((bare as AppError).details?.map(({ path }) => path)).toEqual(["createdAt", "quantity", "amount"]);
  });
});

describe.each([
  ["invoice" as const, invoices.restore],
  ["expense" as const, expenses.restore],
])("Undo of a deleted %s", (kind, operation) => {
  const restore = (id: string) => operation.execute(ledgerContext(), { id });
  const stored = (id: string) => env.DB.prepare(`SELECT * FROM ${kind}s WHERE id = ?`).bind(id).first();

  it("restores the same row; a second request changes nothing", async () => {
    const entry = await addEntry(kind, { description: "Back again", createdAt: "2026-11-21" }, token);
    const before = await stored(entry.id);
    await call(`/api/${kind}/${entry.id}`, { method: "DELETE", token });
    await addEntry(kind, { description: "Meanwhile", createdAt: "2026-11-21" }, token);
    expect(await stored(entry.id)).toBeNull();
    expect(await restore(entry.id)).toEqual(entry);
    expect(await stored(entry.id)).toEqual(before);
    expect(await restore(entry.id)).toEqual(entry);
    const answer = await call(`/api/${kind}/all?q=back again`, { token });
    expect(((await answer.json()) as Entry[]).map(({ id }) => id)).toEqual([entry.id]);
    expect((await call(`/api/${kind}/${entry.id}`, { method: "DELETE", token })).status).toBe(200);
    expect((await call(`/api/${kind}/${entry.id}`, { method: "DELETE", token })).status).toBe(404);
    await restore(entry.id);
  });

  it("restores an entry that was deleted before its table got another column", async () => {
    const entry = await addEntry(kind, { createdAt: "2026-11-21" }, token);
    const before = await stored(entry.id);
    await call(`/api/${kind}/${entry.id}`, { method: "DELETE", token });
    await env.DB.prepare(
      "UPDATE deleted_entries SET content = json_set(json_remove(content, '$.tax_cents'), '$.gone', 1) WHERE id = ?",
    )
      .bind(entry.id)
      .run();
    expect(await restore(entry.id)).toEqual(entry);
    expect(await stored(entry.id)).toEqual(before);
  });

  it("is a 404 for an unknown id", async () => {
    await expect(restore("never")).rejects.toMatchObject({ code: "notFound" });
  });
});
