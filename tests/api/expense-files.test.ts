import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { removeUnusedFiles } from "~/features/ledger/operations/files.server";
import { purgeDeletedEntries } from "~/features/ledger/operations/maintenance.server";
import { staffToken, startChat } from "../support/chat";
import { decoded, hugePng, PDF, pdfFile, pictureFile, text } from "../support/chat-files";
import { attach, attached, billOf, billsInBucket } from "../support/expense-files";
import { addEntry } from "../support/ledger";
import { admin, person } from "../support/people";
import { call } from "../support/shop";

let token = "";
let id = "";
beforeAll(async () => {
  token = await staffToken();
});
beforeEach(async () => {
  id = (await addEntry("expense", {}, token)).id;
});

interface Answer {
  id: string;
  message: string;
  details?: { path: string }[];
  files?: { key: string; name: string }[];
  removed: { key: string };
}
const body = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Answer;
const listed = async () =>
  ((await (await call("/api/expense/all", { token })).json()) as Answer[]).find((row) => row.id === id);
const names = async () => (await listed())?.files?.map(({ name }) => name) ?? [];
const remove = (key: string, by = { token }) =>
  call(`/api/expense/file?key=${encodeURIComponent(key)}`, { method: "DELETE", ...by });
const restoreFile = (key: string) =>
  call("/admin/expenses-management", {
    token,
    body: new URLSearchParams({ intent: "restoreFile", key, id: key }),
  });
const refusal = async (answer: Response) => [answer.status, (await body(answer)).message];

describe("files of an expense", () => {
  it("are stored with their cards, listed, and read by staff alone", async () => {
    const cards = await attached(id, [pdfFile("bill.pdf"), pictureFile("wideJpeg", "photo.jpg")], { token });
    expect(cards).toEqual([
      {
        type: "file",
        key: expect.any(String),
        name: "bill.pdf",
        contentType: "application/pdf",
        size: PDF.byteLength,
      },
      expect.objectContaining({ name: "photo.jpg", contentType: "image/jpeg", width: expect.any(Number) }),
    ]);
    expect((await listed())?.files).toEqual(cards);
    const [bill, photo] = cards;
    const answer = await billOf(bill?.key ?? "", { token });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(PDF);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="bill.pdf"; filename*=UTF-8''bill.pdf`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    const picture = await billOf(photo?.key ?? "", { token }, "&w=320");
    expect(picture.headers.get("Content-Disposition")).toMatch(/^inline/);
    expect(picture.headers.get("Content-Security-Policy")).toContain("sandbox");
    for (const by of [{}, { token: (await person()).token }]) {
      expect([401, 403]).toContain((await billOf(bill?.key ?? "", by)).status);
      expect([401, 403]).toContain((await attach(id, [pdfFile("b.pdf")], by)).status);
      expect([401, 403]).toContain((await remove(bill?.key ?? "", by as { token: string })).status);
    }
    const visitor = await startChat({ userName: "Ines" });
    expect((await attach(id, [pdfFile("b.pdf")], { cookie: visitor.cookie })).status).toBe(401);
    expect(await names()).toEqual(["bill.pdf", "photo.jpg"]);
  });

  it("are stored once, however often and at the same time they are sent", async () => {
    const send = () => attached(id, [pdfFile("bill.pdf"), pdfFile("bill.pdf")], { token });
    const all = await Promise.all([send(), send(), send()]);
    const keys = new Set(all.flat().map(({ key }) => key));
    expect([keys.size, await names()]).toEqual([1, ["bill.pdf"]]);
    expect(await billsInBucket()).toEqual(expect.arrayContaining([...keys]));
    const mine = (await billsInBucket()).length;
    await send();
    expect((await billsInBucket()).length).toBe(mine);
  });

  it("run no script: a PDF with one is downloaded, without rights in the shop", async () => {
    const script = text(
      "%PDF-1.4\n1 0 obj << /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >> endobj\n%%EOF",
    );
    const [card] = await attached(id, [new File([script], "<script>.pdf")], { token });
    const answer = await billOf(card?.key ?? "", { token });
    expect([card?.name, answer.headers.get("Content-Disposition")]).toEqual([
      "script .pdf",
      `attachment; filename="script .pdf"; filename*=UTF-8''script%20.pdf`,
    ]);
    expect(answer.headers.get("Content-Security-Policy")).toBe("default-src 'none'; sandbox");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  const elevenMegabytes = new Uint8Array(11 * 1024 * 1024);
  elevenMegabytes.set(PDF);
  const svg = text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const NO_KIND = "Validation error: files: bill.png is no JPEG, PNG, WebP, GIF or PDF";
  it.each([
    ["an SVG named .png", svg, 400, NO_KIND],
    ["0 bytes", text(""), 400, NO_KIND],
    ["HTML before a PDF", text("<script></script>%PDF-1.4"), 400, NO_KIND],
    [
      "half a picture",
      decoded("wideJpeg").slice(0, 400),
      400,
      "Validation error: files: bill.png is damaged",
    ],
    ["50,000 × 50,000 pixels", hugePng(), 413, "bill.png has more than 50 megapixels"],
    ["11 MB", elevenMegabytes, 413, "bill.png is larger than 10 MB"],
  ])("refuse %s, with all that was sent along", async (_, content, status, message) => {
    const before = (await billsInBucket()).length;
    const answer = await attach(id, [pdfFile("fine.pdf"), new File([content], "bill.png")], { token });
    expect(await refusal(answer)).toEqual([status, message]);
    expect([await names(), (await billsInBucket()).length]).toEqual([[], before]);
  });

  it("have names without a path", async () => {
    const [card] = await attached(id, [pdfFile("../../x")], { token });
    expect(card?.name).toBe("x");
    const answer = await billOf(card?.key ?? "", { token });
    expect(answer.headers.get("Content-Disposition")).toContain('filename="x.pdf"');
    for (const key of ["../../x", "products/a.jpg", "sweep/expenses/", "", "expenses/2026-01-01/x"])
      expect((await billOf(key, { token })).status).toBe(404);
  });

  it("are refused without one, under another name, six at once and beyond twenty", async () => {
    expect(await refusal(await attach(id, [], { token }))).toEqual([
      400,
      "Validation error: files: Choose a file",
    ]);
    const form = new FormData();
    form.append("file", pdfFile("bill.pdf"));
    const other = await call(`/api/expense/${id}/file`, { token, body: form });
    expect([other.status, (await body(other)).details?.[0]?.path]).toEqual([400, "files"]);
    const many = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => pdfFile(`${from + i}.pdf`));
    expect((await attach(id, many(0, 6), { token })).status).toBe(400);
    for (let i = 0; i < 20; i += 5) await attached(id, many(i, 5), { token });
    expect(await refusal(await attach(id, many(20, 1), { token }))).toEqual([
      409,
      "An expense has at most 20 files.",
    ]);
    expect(await names()).toHaveLength(20);
    expect((await attach(id, many(3, 2), { token })).status).toBe(201);
  });

  it("belong to an expense that is there", async () => {
    expect((await attach("nothing", [pdfFile("bill.pdf")], { token })).status).toBe(404);
    const [card] = await attached(id, [pdfFile("bill.pdf")], { token });
    await call(`/api/expense/${id}`, { method: "DELETE", token });
    expect((await attach(id, [pdfFile("other.pdf")], { token })).status).toBe(404);
    expect((await billOf(card?.key ?? "", { token })).status).toBe(404);
    expect((await remove(card?.key ?? "")).status).toBe(404);
  });
});

describe("a file", () => {
  it("is removed and put back, both once, and counted in the audit log", async () => {
    const [card] = await attached(id, [pdfFile("bill.pdf")], { token });
    const key = card?.key ?? "";
    for (let i = 0; i < 2; i++)
      expect(await body(remove(key))).toEqual({
        message: "File removed",
        removed: { key, name: "bill.pdf" },
      });
    expect([await names(), (await billOf(key, { token })).status]).toEqual([[], 404]);
    for (let i = 0; i < 2; i++) expect((await restoreFile(key)).status).toBe(303);
    expect(await names()).toEqual(["bill.pdf"]);
    const { results } = await env.DB.prepare(
      "SELECT changes FROM audit_log WHERE object_id = ? AND action = 'changed' ORDER BY seq",
    )
      .bind(id)
      .all();
    expect(results.map(({ changes }) => changes)).toEqual([
      '{"files":[0,1]}',
      '{"files":[1,0]}',
      '{"files":[0,1]}',
    ]);
  });

  it("comes back when it is sent again after its removal", async () => {
    const [card] = await attached(id, [pdfFile("bill.pdf")], { token });
    await remove(card?.key ?? "");
    const [again] = await attached(id, [pdfFile("bill.pdf")], { token });
    expect([again?.key, await names()]).toEqual([card?.key, ["bill.pdf"]]);
  });

  it("comes back with its expense, and goes with it for good", async () => {
    const [card] = await attached(id, [pdfFile("bill.pdf")], { token });
    const key = card?.key ?? "";
    await call(`/api/expense/${id}`, { method: "DELETE", token });
    await call("/admin/expenses-management", { token, body: new URLSearchParams({ intent: "restore", id }) });
    expect(await names()).toEqual(["bill.pdf"]);
    await call(`/api/expense/${id}`, { method: "DELETE", token });
    await env.DB.prepare("UPDATE deleted_entries SET deleted_at = deleted_at - 90000").run();
    await purgeDeletedEntries(env as Env);
    const tomorrow = Date.now() + 25 * 3600 * 1000;
    expect(await removeUnusedFiles(env as Env)).toBe(0);
    await removeUnusedFiles(env as Env, tomorrow);
    expect(await billsInBucket()).not.toContain(key);
    expect(await env.DB.prepare("SELECT 1 FROM expense_files WHERE key = ?").bind(key).first()).toBeNull();
  });

  it("that was removed is purged a day later; one that is attached stays", async () => {
    const [gone, kept] = await attached(id, [pdfFile("gone.pdf"), pdfFile("kept.pdf")], { token });
    await remove(gone?.key ?? "");
    await purgeDeletedEntries(env as Env);
    expect((await restoreFile(gone?.key ?? "")).status).toBe(303);
    await remove(gone?.key ?? "");
    await env.DB.prepare("UPDATE expense_files SET removed_at = removed_at - 90000").run();
    await purgeDeletedEntries(env as Env);
    await removeUnusedFiles(env as Env, Date.now() + 25 * 3600 * 1000);
    const left = await billsInBucket();
    expect([left.includes(gone?.key ?? ""), left.includes(kept?.key ?? "")]).toEqual([false, true]);
    expect((await billOf(kept?.key ?? "", { token })).status).toBe(200);
  });
});

describe("an expense of a closed month", () => {
  it("gets no file and loses none; a repeated upload answers as the first did", async () => {
    const closer = (await admin()).token;
    const day = { createdAt: "2024-03-05", businessType: "LASER" };
    id = (await addEntry("expense", day, token)).id;
    const [card] = await attached(id, [pdfFile("bill.pdf")], { token });
    await call("/api/closing", { token: closer, json: { businessType: "LASER", until: "2024-03-31" } });
    const before = (await billsInBucket()).length;
    const message = expect.stringMatching(
      /^Laser Craft is closed up to 31st Mar 2024, .+ Nothing was stored\.$/,
    );
    expect(await refusal(await attach(id, [pdfFile("late.pdf")], { token }))).toEqual([409, message]);
    expect(await refusal(await remove(card?.key ?? ""))).toEqual([409, message]);
    expect((await attach(id, [pdfFile("bill.pdf")], { token })).status).toBe(201);
    expect([await names(), (await billsInBucket()).length]).toEqual([["bill.pdf"], before]);
    const reopened = { method: "DELETE", token: closer, json: { businessType: "LASER", reason: "A bill" } };
    await call("/api/closing", reopened);
    expect((await attach(id, [pdfFile("late.pdf")], { token })).status).toBe(201);
  });
});
