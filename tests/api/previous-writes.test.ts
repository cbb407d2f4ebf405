import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { LEDGER_CHECKS } from "~/features/ledger/queries/check";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { staffToken } from "../support/chat";
import { call } from "../support/shop";

/** 1 November 2026, 02:00 UTC, and 23 November, 12:00. */
const NIGHT = 1_793_498_400;
const NOON = 1_795_435_200;

/** Writes a chat's row as the version before 0034_chat_sums.sql did, in one statement for a new and a known chat. */
const writeChat = (id: string, lastMessage: string, revision: number) =>
  env.DB.prepare(
    `INSERT INTO chats (id, user_name, user_email, is_anonymous, last_message, last_message_at, last_sender, unread_count,
       visitor_unread, state, created_at, revision)
     VALUES (?1, 'Ines', '', 1, ?2, ?3, 'visitor', 1, 0, 'open', ?4, ?5)
     ON CONFLICT (id) DO UPDATE SET last_message = ?2, revision = ?5 WHERE chats.revision < excluded.revision`,
  )
    .bind(id, lastMessage, NOON * 1000, NIGHT, revision)
    .run();

/** Writes a document as the version before 0039_document_recorded.sql did. */
const writeDocument = (id: string, number: string) =>
  env.DB.prepare(
    `INSERT INTO documents (id, kind, number, business_type, customer_name, source, payment_mode, tax_name, tax_rate, tax_cents,
       tax_included, tax_number, rounding_cents, total_cents, request_id, request_hash, created_at, day, search_text, created_by)
     VALUES (?1, 'sale', ?2, 'EMPORIA', '', 'counter', 'CARD', '', 0, 0, 1, '', 0, 0, ?1, '', ?3, '2026-11-23', '', 'Pat')`,
  )
    .bind(id, number, NOON)
    .run();

const first = <T>(query: string) => env.DB.prepare(query).first<T>();

let token: string;

beforeAll(async () => {
  token = await staffToken();
});

describe("writes of a previous version", () => {
  it("store a new chat, which staff find, count and can answer", async () => {
    await writeChat("old", "Is the lamp in stock?", 1);
    await writeChat("old", "Hello?", 2);
    expect(await first("SELECT month, last_message FROM chats WHERE id = 'old'")).toEqual({
      month: "2026-11",
      last_message: "Hello?",
    });
    expect(await first("SELECT total FROM chat_sums WHERE period = '2026-11' AND name = 'begun'")).toEqual({
      total: 1,
    });
    expect(await (await call("/admin/chat?q=ines", { token })).text()).toContain("Ines");
  });

  it("keep the month of a chat that has one", async () => {
    await expect(env.DB.prepare("UPDATE chats SET month = '2026-10' WHERE id = 'old'").run()).rejects.toThrow(
      "final month",
    );
    await expect(
      env.DB.prepare(
        "INSERT INTO chats (id, user_name, month, last_message_at, created_at, revision) VALUES ('x', '', 'May', 1, 1, 1)",
      ).run(),
    ).rejects.toThrow("no month");
  });

  it("store a document, recorded now, which is final", async () => {
    const before = Math.floor(Date.now() / 1000) - 1;
    await writeDocument("old", "E-2026-900001");
    const { at = 0 } = (await first<{ at: number }>("SELECT recorded_at AS at FROM documents")) ?? {};
    expect(at).toBeGreaterThan(before);
    await expect(env.DB.prepare("UPDATE documents SET recorded_at = 5").run()).rejects.toThrow("final");
  });

  it("end a deletion, and rooms are notified", async () => {
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO erasures (id, user_id, requested_by, requested_at, due_at) VALUES ('old', 'gone', 'owner', 1, 2)",
      ),
      env.DB.prepare("UPDATE erasures SET done_at = 3 WHERE id = 'old'"),
    ]);
    expect(await first("SELECT begun_at AS at FROM erasures WHERE id = 'old'")).toEqual({ at: 3 });
  });

  it("leave all sums right", async () => {
    const checks = [...LEDGER_CHECKS, ...Object.values(SALE_CHECKS)];
    const results = await env.DB.batch(checks.map((check) => env.DB.prepare(check)));
    expect(results.flatMap(({ results: rows }) => rows)).toEqual([]);
  });
});
