import { LEDGER_CHECKS } from "~/features/ledger/queries/check";
import { SALE_CHECKS } from "~/features/sales/queries/check";
import { type Act, documentsOf, type Model } from "./model";

/** Queries beside the shop's own checks; each returns no row while its invariant holds. */
const FURTHER_CHECKS: Record<string, string> = {
  "the stock of each unit covers what is on hold": `SELECT id, stock, (SELECT sum(quantity) FROM hold_lines
      WHERE unit_id = units.id AND counted = 1 AND until > unixepoch()) AS reserved FROM units WHERE reserved > stock`,
  "nothing is credited above what was sold":
    "SELECT document_id, line FROM document_lines WHERE returned > quantity AND quantity > 0",
  "what is sold has its document": `SELECT id FROM holds WHERE state = 'sold' AND document_id NOT IN (SELECT request_id FROM documents)
    UNION ALL SELECT id FROM quotes WHERE document_id IS NOT NULL AND document_id NOT IN (SELECT request_id FROM documents)`,
  "a request makes its documents once": `SELECT request_id FROM documents GROUP BY request_id, business_type, kind
      HAVING count(*) > 1`,
  "each document, hold and quote is in the audit log": `SELECT id FROM documents WHERE NOT EXISTS (
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
  checkSavedRows(model);
  for (const act of model.acts) if (act.success !== undefined) checkStored(model, act);
  checkSoldOnce(model);
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

/** Checks that each hold and quote is in one sale at most, however often it was asked for. */
function checkSoldOnce(model: Model): void {
  const sold = new Map<string, Set<string>>();
  const documents = model.world.d1.query<{ id: string }>("SELECT DISTINCT request_id AS id FROM documents");
  const stored = new Set(documents.map(({ id }) => id));
  for (const { kind, id, request } of model.acts) {
    const { holdId, quoteId } = (request.json ?? {}) as { holdId?: string; quoteId?: string };
    const source = holdId ?? quoteId;
    if (kind !== "sale" || !source || !stored.has(id)) continue;
    sold.set(source, (sold.get(source) ?? new Set()).add(id));
  }
  for (const [source, sales] of sold)
    if (sales.size > 1) model.fail(`${source} was sold more than once: ${[...sales]}`);
}

const asJson = (value: unknown) => JSON.stringify(value);

type Stored = [found: unknown, expected: unknown];
type Query = Model["world"]["d1"]["query"];

/** Lines of a sale or hold as they must be stored. */
const linesOf = ({ json }: Act["request"]) => {
  const { lines } = json as { lines: { productId: string; unitId?: string; quantity: number }[] };
  return lines.map(({ productId, unitId = productId, quantity }) => ({
    product: productId,
    unit: unitId,
    quantity,
  }));
};

/** Counts the documents of a request. */
const made = (id: string, query: Query) => query("SELECT id FROM documents WHERE request_id = ?", id).length;

/** Returns what is stored of an acknowledged act, and what must be. */
const STORED: { [Kind in Act["kind"]]?: (act: Act, query: Query) => Stored } = {
  sale({ id, kind, request, success }, query) {
    const lines = query(
      `SELECT product_id AS product, coalesce(unit_id, product_id) AS unit, quantity FROM document_lines
        WHERE document_id IN (SELECT id FROM documents WHERE request_id = ?)`,
      id,
    );
    // Those of two businesses are in two documents.
    const sorted = (of: unknown[]) => of.map(asJson).sort();
    return [
      [made(id, query), sorted(lines)],
      [documentsOf(kind, success)?.length, sorted(linesOf(request))],
    ];
  },
  correction: ({ id, kind, success }, query) => [made(id, query), documentsOf(kind, success)?.length],
  credit: ({ id }, query) => [made(id, query), 1],
  mail({ id, success }, query) {
    const { to, isSent } = success as { to: string; isSent: boolean };
    const mail = "SELECT recipient AS [to] FROM sale_outbox WHERE id = ? AND (done_at IS NOT NULL OR NOT ?)";
    return [query(mail, id, isSent), [{ to }]];
  },
  deposit({ id, success }, query) {
    const { amount } = success as { amount: number };
    const rows = query("SELECT amount_cents AS cents FROM payments WHERE id = ?", id);
    return [rows, [{ cents: Math.round(amount * 100) }]];
  },
  hold({ id, request }, query) {
    const lines = query(
      `SELECT product_id AS product, unit_id AS unit, quantity FROM hold_lines
        WHERE hold_id = (SELECT id FROM holds WHERE id = ?)`,
      id,
    );
    return [lines, linesOf(request)];
  },
  quote({ id, success }, query) {
    const { title, total } = success as { title: string; total: number };
    const rows = query("SELECT title, total_cents AS total FROM quotes WHERE id = ?", id);
    return [rows, [{ title, total: Math.round(total * 100) }]];
  },
  decision({ success }, query) {
    const { id, state } = success as { id: string; state: string };
    return [query("SELECT state FROM quotes WHERE id = ?", id), [{ state }]];
  },
  release({ success }, query) {
    const { id } = success as { id: string };
    return [query("SELECT id FROM holds WHERE id = ? AND state <> 'active'", id), [{ id }]];
  },
  merge({ request }, query) {
    const { id: merged } = request.json as { id: string };
    const rows = query(
      `SELECT changes ->> '$.merged[1]' AS merged FROM audit_log
        WHERE object = 'customer' AND action = 'merged' AND object_id = ? AND merged = ?`,
      request.path.split("/")[3],
      merged,
    );
    return [rows, [{ merged }]];
  },
  undo({ request }, query) {
    const undone = query("SELECT state FROM import_runs WHERE undoes = ?", request.path.split("/")[4]);
    return [undone, [{ state: "done" }]];
  },
};

/** Checks that what was acknowledged is stored as it was, once. */
function checkStored(model: Model, act: Act): void {
  const { d1 } = model.world;
  if (act.kind === "message") checkMessage(model, act);
  const [found, expected] = STORED[act.kind]?.(act, (sql, ...values) => d1.query(sql, ...values)) ?? [];
  if (asJson(found) !== asJson(expected))
    model.fail(
      `${act.kind} ${act.id} was acknowledged as ${asJson(act.success)}, and ${asJson(found)} is stored in place of ${asJson(expected)}`,
    );
}

/** Selects the messages of a chat that is there: one that was deleted keeps its rows until a task has taken them away. */
const MESSAGES = "SELECT id, message, seq FROM messages WHERE EXISTS (SELECT 1 FROM chat WHERE removed = 0)";

/** Checks that an acknowledged message is in its chat once, under its id and its text, unless the chat was deleted. */
function checkMessage(model: Model, act: Act): void {
  const { chatId, message } = (act.request.json ?? act.request.form) as { chatId: string; message: string };
  const fate = model.fateOf(chatId, act);
  const stored = rowsOf(model, chatId, MESSAGES).filter(
    (row) => row.id === act.id || String(row.message).split("\n")[0] === message,
  );
  if (stored.length === 0 && fate !== "kept") return;
  if (fate === "unknown") return;
  const { seq } = act.success as { seq: number };
  const [row] = stored;
  const isRight = stored.length === 1 && row?.id === act.id && row.seq === seq;
  if (fate === "deleted" || !isRight)
    model.fail(
      `Message ${act.id} was acknowledged as ${seq}, its chat is ${fate}, and it is stored as ${asJson(stored)}`,
    );
}

/** Checks what holds when everything that waits has been done. */
export function checkAtRest(model: Model): void {
  const { d1, objects } = model.world;
  const waiting = d1.query("SELECT id FROM sale_outbox WHERE done_at IS NULL");
  if (waiting.length > 0) model.fail(`The outbox of sales waits for ${JSON.stringify(waiting)}`);
  const hooks = d1.query("SELECT id FROM webhook_deliveries WHERE state = 'waiting'");
  if (hooks.length > 0) model.fail(`Webhooks wait for ${JSON.stringify(hooks)}`);
  for (const id of objects.names("ChatRoom")) checkRow(model, id);
  checkArrived(model);
  if (model.running > 0) model.fail(`${model.running} commands have not ended`);
}

/** Checks that what was acknowledged has arrived: messages and sales at the receiver of webhooks, receipts in their mails. */
function checkArrived(model: Model): void {
  const { arrived, d1 } = model.world;
  const events = new Set(arrived.requests.map(({ id }) => id));
  for (const act of model.acts.filter(({ success }) => success !== undefined)) {
    if (act.kind === "mail" && !arrived.mails.includes(`${act.id}@example.com`))
      model.fail(`The receipt ${act.id} was acknowledged, and no mail has arrived`);
    const event = act.kind === "message" ? eventOf(model, act) : null;
    if (event && !events.has(event))
      model.fail(`Message ${act.id} was acknowledged, and its event ${event} has not arrived`);
  }
  const sales = d1.query<{ id: string; event: string | null }>(
    `SELECT documents.id, d.id AS event FROM documents LEFT JOIN webhook_deliveries AS d
      ON d.event = 'sale.recorded' AND d.subject = documents.id WHERE kind = 'sale'`,
  );
  for (const { id, event } of sales)
    if (!event || !events.has(event)) model.fail(`The event ${event} of the sale ${id} has not arrived`);
}

/** Returns the id of an acknowledged message's event; null for one whose chat was, or may have been, deleted. */
function eventOf(model: Model, act: Act): string | null {
  const { chatId } = (act.request.json ?? act.request.form) as { chatId: string };
  const { seq } = act.success as { seq: number };
  return model.fateOf(chatId, act) === "kept" ? `msg_${chatId}_${seq}_hook` : null;
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

/** Checks that D1 has the row of each room that was told so: one without the task, whatever becomes of its object now. */
export function checkSavedRows(model: Model): void {
  for (const id of model.world.objects.names("ChatRoom")) {
    const [told] = rowsOf(
      model,
      id,
      "SELECT 1 FROM chat WHERE removed = 0 AND NOT EXISTS (SELECT 1 FROM duties WHERE kind = 'summary')",
    );
    if (told) compareRow(model, id);
  }
}

/** Checks that a room has nothing left to do, and that D1 has its row. */
function checkRow(model: Model, id: string): void {
  const tasks = rowsOf(model, id, "SELECT kind, attempts FROM duties");
  if (tasks.length > 0) model.fail(`Room ${id} still has to do ${JSON.stringify(tasks)}`);
  compareRow(model, id);
}

function compareRow(model: Model, id: string): void {
  const [room] = rowsOf(model, id, "SELECT *, unread AS unread_count FROM chat WHERE removed = 0");
  const [row] = model.world.d1.query("SELECT * FROM chats WHERE id = ?", id);
  const facts = (of: Record<string, unknown> | undefined) =>
    of && JSON.stringify(COMPARED.map((name) => of[name]));
  if (facts(room) !== facts(row)) model.fail(`Room ${id} is ${facts(room)}, and its row ${facts(row)}`);
}
