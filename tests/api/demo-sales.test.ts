import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { localTimeAt } from "~/domain/days";
import { seedChats } from "../../scripts/seed/chat";
import chatSales from "../../scripts/seed/chat-sales.json";
import chatDemo from "../../scripts/seed/chats.json";
import offers from "../../scripts/seed/holds-and-quotes.json";
import { seedPeople } from "../../scripts/seed/people";
import { seedSales } from "../../scripts/seed/sales";
import saleDemo from "../../scripts/seed/sales.json";
import { addProduct } from "../support/shop";

interface Card {
  id: string;
  chat: string;
  /** Epoch seconds. */
  at: number;
}

const rows = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results;
const CARDS = `SELECT m.value ->> 'id' AS id, chat_id AS chat, (m.value ->> 'at') / 1000 AS at
  FROM chat_imports, json_each(content, '$.messages') AS m`;

beforeAll(async () => {
  const ids = [
    ...[...saleDemo.sales, ...chatSales.sales].flatMap(({ lines }) =>
      lines.map(({ productId }) => productId),
    ),
    ...offers.holds.flatMap(({ lines }) => lines.map(({ productId }) => productId)),
    ...chatDemo.chats.flatMap(({ lines }) => lines.map(({ product }) => product)),
  ];
  for (const id of new Set(ids)) await addProduct({ id, name: id, stock: 50 });
  await seedPeople(env as Env);
  await seedChats(env as Env);
  await seedSales(env as Env);
});

describe("the demo's chats, documents and customers", () => {
  it("agree on the time of each receipt, credit note, hold, quote and deposit", async () => {
    const objects =
      await rows<Card>(`SELECT 'receipt-' || id AS id, chat_id AS chat, created_at AS at FROM documents
      UNION ALL SELECT 'hold-' || id, chat_id, created_at FROM holds
      UNION ALL SELECT 'quote-' || id, chat_id, created_at FROM quotes
      UNION ALL SELECT 'deposit-' || p.id, q.chat_id, p.created_at FROM payments AS p JOIN quotes AS q ON q.id = p.quote_id
        WHERE p.document_id IS NULL`);
    const shown = objects.filter(({ chat }) => chat !== null);
    expect(shown.length).toBeGreaterThanOrEqual(11);
    expect(await rows<Card>(`${CARDS} WHERE m.value -> 'cards' IS NOT NULL ORDER BY 1`)).toEqual(
      shown.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });

  it("sell what a chat is about after it began, and take it back after that", async () => {
    const early = await rows(`SELECT d.number FROM documents AS d JOIN chats AS c ON c.id = d.chat_id
      WHERE d.created_at <= c.created_at UNION ALL SELECT d.number FROM documents AS d JOIN documents AS o ON o.id = d.original_id
      WHERE d.created_at <= o.created_at OR (d.day <= o.day AND d.request_id NOT LIKE 'demo-correction%')`);
    expect(early).toEqual([]);
    const sold = await rows<{ chat: string }>(`SELECT DISTINCT d.chat_id AS chat FROM documents AS d
      JOIN document_lines AS l ON l.document_id = d.id
      JOIN chats AS c ON c.id = d.chat_id AND c.product_id = l.product_id`);
    expect(sold.map(({ chat }) => chat)).toEqual(["demo-chat-09", "demo-chat-10"]);
  });

  it("sell at the counter while the shop is open, with numbers in order of time", async () => {
    const sales = await rows<{ at: number; day: string; source: string }>(
      "SELECT created_at AS at, day, source FROM documents WHERE kind = 'sale' ORDER BY row",
    );
    expect(sales.map(({ at }) => at)).toEqual(sales.map(({ at }) => at).sort((a, b) => a - b));
    const atCounter = sales.filter(({ source }) => source === "counter");
    expect(atCounter.length).toBeGreaterThan(15);
    for (const { at, day } of atCounter) {
      expect([0, 1], day).not.toContain(new Date(`${day}T00:00:00Z`).getUTCDay());
      expect(localTimeAt(at, "America/Toronto")).toMatch(/T1[0-7]:/);
    }
  });

  it("have messages in order of time, and the list shows the last one", async () => {
    const unordered = await rows(`SELECT chat_id FROM (SELECT chat_id, m.value ->> 'at' AS at,
        lag(m.value ->> 'at') OVER (PARTITION BY chat_id ORDER BY m.key) AS before
      FROM chat_imports, json_each(content, '$.messages') AS m) WHERE at < before`);
    expect(unordered).toEqual([]);
    const wrong = await rows(`SELECT c.id FROM chats AS c JOIN chat_imports AS i ON i.chat_id = c.id
      WHERE c.last_message_at <> content ->> '$.messages[#-1].at' OR c.last_message <> content ->> '$.messages[#-1].message'
        OR (c.last_sender = 'staff') <> (content ->> '$.messages[#-1].isFromAdmin')
        OR (c.waiting_since IS NULL) <> (c.last_sender = 'staff')`);
    expect(wrong).toEqual([]);
  });

  it("date each customer by their last message or document", async () => {
    const wrong = await rows(`SELECT u.id FROM customers AS u WHERE last_seen <> max(created_at,
      coalesce((SELECT max(created_at) FROM documents WHERE customer_id = u.id), 0),
      coalesce((SELECT max(c.last_message_at) / 1000 FROM chat_customers AS l JOIN chats AS c ON c.id = l.chat_id
        WHERE l.customer_id = u.id AND c.last_sender = 'visitor'), 0),
      coalesce((SELECT max((m.value ->> 'at') / 1000) FROM chat_customers AS l JOIN chat_imports AS i ON i.chat_id = l.chat_id,
        json_each(i.content, '$.messages') AS m WHERE l.customer_id = u.id AND m.value -> 'cards' IS NULL), 0))`);
    expect(wrong).toEqual([]);
  });
});
