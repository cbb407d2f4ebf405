import { LEDGER_CHECKS } from "~/features/ledger/queries/check";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import type { Act, Model } from "./model";

/** Queries beside the shop's own checks; each returns no row while its invariant holds. */
const FURTHER_CHECKS: Record<string, string> = {
  "the stock covers what is on hold": `SELECT id, stock, (SELECT sum(quantity) FROM hold_lines
      WHERE product_id = products.id AND counted = 1 AND until > unixepoch()) AS held FROM products WHERE held > stock`,
  "nothing is credited above what was sold":
    "SELECT document_id, line FROM document_lines WHERE returned > quantity AND quantity > 0",
  "a hold or quote is sold once": `SELECT hold_id FROM (SELECT id AS hold_id, document_id FROM holds WHERE state = 'sold')
      WHERE document_id NOT IN (SELECT request_id FROM documents)`,
  "a request makes its documents once": `SELECT request_id FROM documents GROUP BY request_id, business_type, kind
      HAVING count(*) > 1`,
  "each document, hold, quote and merge is in the audit log": `SELECT id FROM documents WHERE NOT EXISTS (
      SELECT 1 FROM audit_log WHERE object = 'document' AND object_id = documents.id)
    UNION ALL SELECT id FROM holds WHERE NOT EXISTS (
      SELECT 1 FROM audit_log WHERE object = 'hold' AND object_id = holds.id)
    UNION ALL SELECT id FROM quotes WHERE NOT EXISTS (
      SELECT 1 FROM audit_log WHERE object = 'quote' AND object_id = quotes.id)`,
  "a planned deletion has its customer": `SELECT id, customer_id FROM erasures
      WHERE begun_at IS NULL AND customer_id NOT IN (SELECT id FROM customers)`,
  "the audit log is numbered without gaps": `SELECT max(seq) AS last, count(*) AS rows FROM audit_log
      HAVING max(seq) <> count(*) OR min(seq) <> 1`,
};

/** Checks of ledger, stock and sales as one query each, by name. */
const CHECKS: [name: string, query: string][] = [
  ...LEDGER_CHECKS.map((query, i): [string, string] => [`sums of the ledger (${i + 1})`, query]),
  ...Object.entries(SALE_CHECKS),
  ...Object.entries(FURTHER_CHECKS),
];

/** Checks what holds at any moment, also while commands are running. */
export function checkAlways(model: Model): void {
  const { d1 } = model.world;
  for (const [name, query] of CHECKS) {
    const rows = d1.query(query);
    if (rows.length > 0) model.fail(`${name}: ${JSON.stringify(rows)}`);
  }
  for (const id of model.world.objects.names("ChatRoom")) {
    checkRoom(model, id);
    checkDecisions(model, id);
  }
  for (const act of model.acts) if (act.success !== undefined) checkStored(model, act);
}

const rowsOf = (model: Model, id: string, query: string): Record<string, unknown>[] => {
  const storage = model.world.objects.storage(`ChatRoom ${id}`);
  const tables = storage?.sql.exec("SELECT name FROM sqlite_master WHERE name = 'chat'").toArray() ?? [];
  return tables.length > 0 ? (storage?.sql.exec(query).toArray() ?? []) : [];
};

/** Checks that the messages of a room are numbered from 1 without gaps. */
function checkRoom(model: Model, id: string): void {
  const [numbers] = rowsOf(model, id, "SELECT count(*) AS n, max(seq) AS last FROM messages");
  if (numbers && numbers.n !== (numbers.last ?? 0))
    model.fail(`Room ${id} has ${numbers.n} messages, numbered to ${numbers.last}`);
}

/** Checks that what the shop says for somebody, such as that they accept a quote, stands once in the chat. */
function checkDecisions(model: Model, id: string): void {
  const said = rowsOf(model, id, "SELECT id FROM messages WHERE id GLOB 'quote-quote-*'").map((row) =>
    /^quote-(quote-\d+)-(?:accepted|declined)/.exec(String(row.id)),
  );
  const quotes = said.flatMap((found) => found?.[1] ?? []);
  if (new Set(quotes).size < quotes.length) model.fail(`A quote was decided twice in room ${id}: ${quotes}`);
}

/** Checks that what was acknowledged is stored, once. */
function checkStored(model: Model, { kind, id, request, success }: Act): void {
  const { d1 } = model.world;
  if (kind === "message") {
    const { chatId, message } = request.json as { chatId: string; message: string };
    if (model.deletedChats.has(chatId)) return;
    const stored = rowsOf(model, chatId, "SELECT id, message, seq FROM messages").filter(
      (row) => row.id === id,
    );
    const { seq } = success as { seq: number };
    if (stored.length !== 1 || stored[0]?.message !== message || stored[0]?.seq !== seq)
      model.fail(`Message ${id} was acknowledged as ${seq} and is stored as ${JSON.stringify(stored)}`);
  }
  if (kind === "sale" || kind === "credit") {
    const rows = d1.query("SELECT id FROM documents WHERE request_id = ?", id);
    const expected = kind === "credit" ? 1 : (success as { documents: unknown[] }).documents.length;
    if (rows.length !== expected)
      model.fail(`${kind} ${id} was acknowledged and has ${rows.length} documents`);
  }
}

/** Checks what holds when everything that waits has been done. */
export function checkAtRest(model: Model): void {
  const { d1, objects } = model.world;
  const waiting = d1.query("SELECT id FROM sale_outbox WHERE done_at IS NULL");
  if (waiting.length > 0) model.fail(`The outbox of sales waits for ${JSON.stringify(waiting)}`);
  const hooks = d1.query("SELECT id FROM webhook_deliveries WHERE state = 'waiting'");
  if (hooks.length > 0) model.fail(`Webhooks wait for ${JSON.stringify(hooks)}`);
  for (const id of objects.names("ChatRoom")) checkRow(model, id);
  if (model.running > 0) model.fail(`${model.running} commands have not ended`);
}

const COMPARED = [
  "user_name",
  "last_message",
  "unread_count",
  "revision",
  "state",
  "visitor_unread",
  "last_sender",
];

/** Checks that a room has nothing left to do, and that D1 has its row. */
function checkRow(model: Model, id: string): void {
  const tasks = rowsOf(model, id, "SELECT kind, attempts FROM duties");
  if (tasks.length > 0) model.fail(`Room ${id} still has to do ${JSON.stringify(tasks)}`);
  const [room] = rowsOf(model, id, "SELECT *, unread AS unread_count FROM chat WHERE removed = 0");
  const [row] = model.world.d1.query("SELECT * FROM chats WHERE id = ?", id);
  const facts = (of: Record<string, unknown> | undefined) =>
    of && JSON.stringify(COMPARED.map((name) => of[name]));
  if (facts(room) !== facts(row)) model.fail(`Room ${id} is ${facts(room)}, and its row ${facts(row)}`);
}
