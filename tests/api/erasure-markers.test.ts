import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { checkLedger } from "~/features/ledger/operations/maintenance.server";
import { eraseDue } from "~/features/privacy/deletion.server";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { postMessage, startChat } from "../support/chat";
import { fileKeysInBucket, postFiles, text } from "../support/chat-files";
import { everything, placesOf, searchesThatFind } from "../support/everything-stored";
import { press } from "../support/forms";
import { ok, operate } from "../support/operator";
import { admin, person } from "../support/people";
import { credit, hold, sendQuote, sold, stockOf } from "../support/sales";
import { addProduct, call } from "../support/shop";

/** Words that stand for personal data, each with a beginning of its own, as full-text tables shorten common ones. */
const MARKERS = {
  firstName: "aazmark",
  lastName: "bbzmark",
  email: "cczmark",
  phone: "4169990187",
  username: "ddzmark",
  photo: "eezmark",
  customerName: "ffzmark",
  customerEmail: "ggzmark",
  customerNotes: "hhzmark",
  message: "iizmark",
  reply: "jjzmark",
  fileName: "kkzmark",
  fileText: "llzmark",
  linkedName: "mmzmark",
  linkedEmail: "nnzmark",
  linkedMessage: "oozmark",
  endpoint: "ppzmark",
  buyerName: "qqzmark",
  quoteTitle: "rrzmark",
  quoteNote: "sszmark",
  recipient: "ttzmark",
  renamed: "uuzmark",
  webhook: "vvzmark",
  reason: "wwzmark",
  quoteLine: "xxzmark",
  heldName: "yyzmark",
  event: "zzzmark",
} as const;
const WEEK = 8 * 86_400_000;

type Figures = Awaited<ReturnType<typeof figures>>;
let chats: string[] = [];
let lamp = "";
let before: Figures;
let left: [string, string][] = [];
let token = "";

const rows = async (query: string) => (await env.DB.prepare(query).all()).results;

/** Reads what bookkeeping and dashboard show. */
async function figures() {
  return {
    sums: await rows("SELECT * FROM document_sums ORDER BY 1, 2, 3, 4, 5"),
    days: await rows("SELECT * FROM sale_days ORDER BY 1, 2, 3, 4"),
    documents:
      await rows(`SELECT id, number, kind, total_cents, tax_cents, rounding_cents, day, customer_id, chat_id
      FROM documents ORDER BY row`),
    lines: (await rows("SELECT * FROM document_lines ORDER BY document_id, line")).map(
      ({ discount_reason: _, ...line }) => line,
    ),
    invoices: await rows("SELECT * FROM invoices ORDER BY row"),
    customers: await rows("SELECT id, sales, total_cents FROM customers ORDER BY row"),
    movements: await rows("SELECT * FROM stock_movements ORDER BY row"),
    api: await (await call("/api/sale/all", { token })).json(),
  };
}

/** Fills the shop with one person's data in every place that has any. */
async function plant(): Promise<{ id: string; token: string }> {
  const m = MARKERS;
  ({ token } = await admin());
  const ines = await person({
    firstName: m.firstName,
    lastName: m.lastName,
    email: `${m.email}@mail.example`,
    phoneNumber: m.phone,
  });
  await env.DB.prepare("UPDATE users SET username = ?, photo_url = ? WHERE id = ?")
    .bind(m.username, `https://pictures.example/${m.photo}.jpg`, ines.id)
    .run();
  lamp = await addProduct({ name: "Oak lamp", stock: 20 });
  await call(`/api/favourite/${lamp}`, { method: "PUT", token: ines.token });
  const own = await startChat({ initialMessage: `I live at ${m.message} street` }, ines);
  const linked = await startChat({
    userName: m.linkedName,
    userEmail: `${m.linkedEmail}@mail.example`,
    initialMessage: `We met: ${m.linkedMessage}`,
  });
  chats = [own.chatId, linked.chatId];
  const file = new File([text(`%PDF-1.4\n${m.fileText}`)], `${m.fileName}.pdf`, { type: "application/pdf" });
  await postFiles({ chatId: own.chatId, token: ines.token }, [file]);
  await ok(postMessage(own.chatId, `Dear ${m.reply}`, { token }, { isFromAdmin: true }));
  await ok(
    call("/api/push", {
      token: ines.token,
      json: {
        endpoint: `https://push.example.com/${m.endpoint}`,
        keys: {
          p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          auth: "BTBZMqHH6r4Tts7J_aSIgg",
        },
        chatId: own.chatId,
      },
    }),
  );
  const off = { discount: { amount: 1 }, reason: `For ${m.buyerName} (${m.reason}@mail.example)` };
  const line = { productId: lamp, quantity: 2, amount: 30 };
  const [sale] = await sold(token, {
    chatId: own.chatId,
    customerName: m.buyerName,
    lines: [{ ...line, ...off }],
  });
  const customerId = String(sale?.customerId);
  await ok(
    credit(token, String(sale?.id), {
      lines: [{ line: 1, quantity: 1 }],
      reason: `${m.buyerName} (${m.reason}@mail.example) brought it back`,
    }),
  );
  await ok(
    call(`/api/customer/${customerId}`, {
      method: "PATCH",
      token,
      json: { name: m.customerName, email: `${m.customerEmail}@mail.example`, notes: m.customerNotes },
    }),
  );
  await env.DB.prepare("INSERT INTO chat_customers (chat_id, customer_id, linked_at) VALUES (?, ?, 1)")
    .bind(linked.chatId, customerId)
    .run();
  await ok(hold(token, { chatId: own.chatId, lines: [{ productId: lamp, quantity: 3 }] }));
  await sendQuote(token, own.chatId, m.quoteTitle);
  await env.DB.prepare(
    'UPDATE quotes SET note = ?, lines = replace(lines, \'"material":"\', \'"material":"\' || ?)',
  )
    .bind(m.quoteNote, m.quoteLine)
    .run();
  await env.DB.prepare("UPDATE hold_lines SET name = name || ' (' || ? || ')'").bind(m.heldName).run();
  await ok(call(`/api/sale/${sale?.id}/mail`, { token, json: { to: `${m.recipient}@mail.example` } }));
  await ok(call(`/api/chat/${own.chatId}`, { method: "PATCH", token, json: { userName: m.renamed } }));
  await env.DB.prepare(`INSERT INTO webhook_deliveries (id, webhook_id, event, subject, data, state, due_at, created_at)
    VALUES ('msg_1', 'hook', 'sale.recorded', ?, ?, 'delivered', 1, 1)`)
    .bind(sale?.id, JSON.stringify({ customerName: m.webhook }))
    .run();
  for (const state of ["waiting", "delivered", "failed"])
    await env.DB.prepare(`INSERT INTO webhook_deliveries (id, webhook_id, event, subject, data, state, due_at, created_at)
      VALUES (?, 'hook', 'chat.message', ?, ?, ?, 4102444800, 1)`)
      .bind(`msg_${state}`, own.chatId, JSON.stringify({ message: m.event }), state)
      .run();
  // Somebody else, whose data must stay.
  const other = await startChat({ userName: "Tolu", initialMessage: "I stay" });
  await sold(token, { chatId: other.chatId, customerName: "Tolu", lines: [{ ...line, quantity: 1 }] });
  return ines;
}

/** Makes the n-th batch of an attempt fail, as if the process had ended there. */
function failingAt(n: number): Env {
  let batches = 0;
  const fail = (target: D1DatabaseSession): D1DatabaseSession =>
    new Proxy(target, {
      get(session, name) {
        const value = Reflect.get(session, name) as unknown;
        if (name !== "batch") return typeof value === "function" ? value.bind(session) : value;
        return (...args: Parameters<D1DatabaseSession["batch"]>) =>
          ++batches === n ? Promise.reject(new Error("cut off")) : session.batch(...args);
      },
    });
  const DB = { withSession: (constraint: string) => fail(env.DB.withSession(constraint)) };
  return { ...env, DB: DB as unknown as D1Database };
}

beforeAll(async () => {
  vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null, { status: 201 }));
  const ines = await plant();
  await runDurableObjectAlarm(env.ADMIN_ROOM.getByName("admin"));
  before = await figures();
  const path = "/account?tab=data&delete=1";
  const form = await (await call(path, ines)).text();
  await ok(press(form, /^Delete my account$/, { currentPassword: "Password1!" }, ines));
});

describe("the deletion of a person's data", () => {
  it("is preceded by every marker being found, also by the search", async () => {
    const stored = await everything(chats);
    for (const marker of Object.values(MARKERS)) expect(placesOf(stored, marker), marker).not.toEqual([]);
    expect(placesOf(stored, MARKERS.message)).toEqual(expect.arrayContaining(["rooms", "chat_texts.text"]));
    expect(placesOf(stored, MARKERS.buyerName)).toContain("document_starts_data.block");
    expect(await searchesThatFind(MARKERS.firstName)).toEqual(
      expect.arrayContaining(["user_search", "user_starts"]),
    );
  });

  it("is continued after it broke off at each step, also while files cannot be deleted", async () => {
    const soon = Date.now() + WEEK;
    const away = vi.spyOn(env.BUCKET, "delete").mockRejectedValueOnce(new Error("R2 is away"));
    await expect(eraseDue(env, soon)).rejects.toThrow("being deleted");
    away.mockRestore();
    let attempts = 0;
    for (let n = 1; n < 40; n++) {
      const isDone = await eraseDue(failingAt(n), soon).catch(() => 0);
      attempts++;
      if (isDone === 1) break;
    }
    expect(attempts).toBeGreaterThan(5);
    expect(await eraseDue(env, soon)).toBe(0);
    left = await everything(chats);
    expect(left.length).toBeGreaterThan(100);
  }, 120_000);

  it.each(Object.entries(MARKERS))("leaves no %s in D1, search indexes, rooms and R2", async (_, marker) => {
    expect(placesOf(left, marker)).toEqual([]);
    expect(await searchesThatFind(marker)).toEqual([]);
  });

  it("leaves the figures, documents and stock as they were, and products set aside available", async () => {
    expect(await figures()).toEqual(before);
    for (const [name, query] of Object.entries(SALE_CHECKS)) expect(await rows(query), name).toEqual([]);
    await checkLedger(env);
    const stock = 20 - 2 - 1;
    expect(await stockOf(lamp)).toEqual({ stock, held: 0, moved: stock });
  });

  it("replaces the name in documents, which search finds under it", async () => {
    const names = await rows("SELECT customer_name, reason FROM documents ORDER BY row");
    expect(names).toEqual([
      { customer_name: "Deleted customer", reason: "" },
      { customer_name: "Deleted customer", reason: "" },
      { customer_name: "Tolu", reason: "" },
    ]);
    const found = async (q: string) =>
      ((await (await call(`/api/sale?q=${q}`, { token })).json()) as unknown[]).length;
    expect([await found("deleted"), await found("oak"), await found("tolu")]).toEqual([2, 3, 1]);
    const rename = env.DB.prepare("UPDATE documents SET customer_name = 'Ada'");
    await expect(rename.run()).rejects.toThrow("documents: final");
    await expect(env.DB.prepare("UPDATE documents SET total_cents = 1").run()).rejects.toThrow("final");
  });

  it("keeps other people's chats", async () => {
    const names = (await rows("SELECT user_name FROM chats")).map(({ user_name: name }) => name);
    expect(names).toContain("Tolu");
    const files = (await fileKeysInBucket()).filter((key) => chats.some((id) => key.includes(id)));
    expect(files).toEqual([]);
  });

  it("tells a local shop which mails to delete, by hashes for a month", async () => {
    const traces = async () =>
      (await (await operate("GET", "erased-mails")).json()) as { chats: string[]; addresses: string[] }[];
    const [trace] = await traces();
    expect(trace?.chats.toSorted()).toEqual(chats.toSorted());
    expect(trace?.addresses).toHaveLength(3);
    expect(trace?.addresses[0]).toMatch(/^[\da-f]{64}$/);
    expect((await operate("GET", "erased-mails", undefined, "wrong")).status).toBe(404);
    await eraseDue(env, Date.now() + WEEK + 31 * 86_400_000);
    expect((await traces())[0]?.addresses).toEqual([]);
  });
});
