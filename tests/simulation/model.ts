import { DAY_MS } from "~/domain/durations";
import { CUSTOMERS, PRODUCTS, SELLERS, type Seller } from "./runtime/fixture";
import type { Answer, ClientRequest, World } from "./runtime/world";

/** Violated invariant. */
export class Violation extends Error {}

export interface Visitor {
  name: string;
  cookies: Map<string, string>;
  chatIds: string[];
}

/** Act of a person, which has the same id however often it is sent. */
export interface Act {
  kind: "open" | "message" | "hold" | "quote" | "sale" | "credit" | "customer" | "decision" | "other";
  id: string;
  request: ClientRequest;
  by: Visitor | Seller;
  /** Time at which it was first sent, epoch milliseconds. */
  begunAt: number;
  /** Body of the first success, which every repetition gets as well. */
  success?: unknown;
}

type Available = Record<string, number>;

/** Flag of the manager's account that gives rights, as people know it. */
interface Flag {
  /** Undefined while a change is under way, and beside or after one whose answer was lost. */
  value: boolean | undefined;
  changes: number;
  /** Changes without an answer, which may still be done in any order. */
  unanswered: number;
}

/** Knowledge of the people of a history: the acts that they have sent, and the answers of the shop. */
export class Model {
  readonly visitors: Visitor[] = ["vera", "vito", "viola"].map((name) => ({
    name,
    cookies: new Map(),
    chatIds: [],
  }));
  acts: Act[] = [];
  readonly customers: string[] = [...CUSTOMERS];
  /** Chats whose deletion somebody has asked for. */
  readonly deletedChats = new Set<string>();
  readonly violations: Violation[] = [];
  /** Commands that are not finished. */
  running = 0;
  /** Number of restores, which end everything that was running. */
  generation = 0;
  /** Backup that was completed last, with the acts that were acknowledged before it began. */
  backup: { slices: Uint8Array<ArrayBuffer>[]; acknowledged: Set<Act> } | null = null;
  readonly rights: Record<"isManager" | "isUser", Flag> = {
    isManager: { value: true, changes: 0, unanswered: 0 },
    isUser: { value: true, changes: 0, unanswered: 0 },
  };
  /** Available pieces after each write, by the event. */
  #available: { event: number; pieces: Available }[] = [];
  #ids = 0;

  constructor(readonly world: World) {
    world.d1.onWrite = () => this.#observe();
  }

  newId(kind: string): string {
    return `${kind}-${++this.#ids}`;
  }

  seller(n: number): Seller {
    return n % 2 === 0 ? SELLERS[0] : SELLERS[1];
  }

  visitor(n: number): Visitor {
    return this.visitors[n % this.visitors.length] as Visitor;
  }

  /** Returns one of the acts of a kind; undefined without any. @param isDone acknowledged ones alone */
  act(kind: Act["kind"], n: number, isDone = true): Act | undefined {
    const acts = this.acts.filter((act) => act.kind === kind && (!isDone || act.success !== undefined));
    return acts[n % acts.length];
  }

  chat(n: number): { id: string; visitor: Visitor } | undefined {
    const chats = this.visitors.flatMap((visitor) => visitor.chatIds.map((id) => ({ id, visitor })));
    return chats[n % chats.length];
  }

  begin(kind: Act["kind"], by: Act["by"], request: ClientRequest, id = this.newId(kind)): Act {
    const act = { kind, id, request, by, begunAt: this.world.scheduler.now };
    this.acts.push(act);
    return act;
  }

  /** Sends an act, for the first time or again, and compares its answer with what the person may expect. */
  async send(act: Act): Promise<Answer | null> {
    const { scheduler } = this.world;
    const began = scheduler.events;
    const wasLocked = this.#lockedSince(act.by);
    if (act.kind === "sale") this.#observe();
    const by = "token" in act.by ? { token: act.by.token } : { cookie: cookieOf(act.by) };
    // The connection broke: the person may send it again.
    const answer = await this.world.send({ ...act.request, ...by }).catch(() => null);
    if (!answer) return null;
    const { status, text } = answer;
    const name = `${act.kind} ${act.id} (${act.request.method} ${act.request.path})`;
    if (!("token" in act.by)) keepCookies(act.by, answer);
    if (status === 500) this.fail(`${name} was answered 500: ${text}`);
    if (status < 300 && wasLocked !== null && wasLocked === this.#lockedSince(act.by))
      this.fail(`${name} succeeded although the right was withdrawn`);
    if (status === 409) this.#checkRefusal(act, answer, began);
    if (status < 300) this.#acknowledge(act, JSON.parse(text));
    return answer;
  }

  #acknowledge(act: Act, body: unknown): void {
    if (act.success === undefined || this.#isForgotten(act)) act.success = body;
    else if (REPEATABLE.has(act.kind) && factsOf(act, body) !== factsOf(act, act.success))
      this.fail(
        `${act.kind} ${act.id} was answered ${factsOf(act, act.success)}, and again ${factsOf(act, body)}`,
      );
  }

  /** Tells that the shop knows an act no more: a start after a day, and what was sent to a chat that was deleted. */
  #isForgotten({ kind, begunAt, request, success }: Act): boolean {
    if (kind !== "open" && kind !== "message") return false;
    const { chatId = "" } = (kind === "open" ? success : request.json) as { chatId?: string };
    const isOld = kind === "open" && Math.abs(this.world.scheduler.now - begunAt) >= DAY_MS;
    return isOld || this.deletedChats.has(chatId);
  }

  /** Checks that a refusal was true at some time of the request. @param began event with which it began */
  #checkRefusal(act: Act, { text, writes }: Answer, began: number): void {
    const { message } = JSON.parse(text) as { message: string };
    const isWritten = ["sale", "hold"].includes(act.kind);
    if (isWritten && message.startsWith("Somebody else changed this") && writes < 4)
      this.fail(`${act.kind} ${act.id} was refused after ${writes} attempts: ${message}`);
    const [, name, left] = /(\w+): (\d+|none) left/.exec(message) ?? [];
    const json = act.request.json as { holdId?: string; lines: { productId?: string; quantity: number }[] };
    if (!name || !isWritten || json.holdId) return;
    const asked = json.lines.reduce((sum, line) => sum + (line.productId === name ? line.quantity : 0), 0);
    const first = this.#available.findLastIndex(({ event }) => event <= began);
    const least = Math.min(
      ...this.#available.slice(Math.max(0, first)).map(({ pieces }) => pieces[name] ?? 0),
    );
    if (asked <= least)
      this.fail(`${act.kind} ${act.id} asked for ${asked} of ${least} and was refused: ${left} left`);
  }

  #observe(): void {
    const { d1, scheduler } = this.world;
    const rows = d1.query<{ id: string; available: number }>(AVAILABLE);
    const pieces = Object.fromEntries(rows.map(({ id, available }) => [id, available]));
    this.#available.push({ event: scheduler.events, pieces });
  }

  /** Returns the number of changes after which a seller has no right; null while they have one, or may have. */
  #lockedSince(by: Act["by"]): number | null {
    const { isManager, isUser } = this.rights;
    if (by !== SELLERS[1] || (isManager.value !== false && isUser.value !== false)) return null;
    return isManager.changes + isUser.changes;
  }

  /** Changes a right of the manager. */
  async setRight(name: "isManager" | "isUser", value: boolean): Promise<void> {
    const flag = this.rights[name];
    const change = ++flag.changes;
    const isAlone = flag.unanswered++ === 0;
    flag.value = undefined;
    const request = { method: "PUT", path: `/api/user/${SELLERS[1].id}`, json: { [name]: value } };
    const answer = await this.send(this.begin("other", SELLERS[0], request));
    if (!answer) return;
    flag.unanswered--;
    if (answer.status === 200 && isAlone && change === flag.changes) flag.value = value;
  }

  /** Forgets what was acknowledged after the backup that has been restored began. */
  forgetSince(acknowledged: Set<Act>): void {
    for (const act of this.acts) if (!acknowledged.has(act)) delete act.success;
    for (const flag of Object.values(this.rights)) Object.assign(flag, { value: undefined, unanswered: 1 });
    this.#available = [];
  }

  readonly fail = (message: string): void => {
    this.violations.push(new Violation(message));
  };
}

const AVAILABLE = `SELECT id, stock - coalesce((SELECT sum(quantity) FROM hold_lines
  WHERE product_id = products.id AND counted = 1 AND until > unixepoch()), 0) AS available
  FROM products WHERE id IN (${PRODUCTS.map((id) => `'${id}'`)})`;

const REPEATABLE = new Set<Act["kind"]>(["open", "message", "sale", "credit", "hold", "quote"]);

/** Facts of an answer that a repetition must repeat; others, such as the state of a hold, go on. */
function factsOf({ kind }: Act, body: unknown): string {
  const { id, chatId, seq, documents, number, total } = body as Record<string, unknown>;
  const sold = documents as { id: string; number: string; total: number }[];
  if (kind === "sale") return JSON.stringify(sold.map((each) => [each.id, each.number, each.total]));
  return JSON.stringify({ id, chatId, seq, number, total });
}

const cookieOf = ({ cookies }: Visitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

function keepCookies({ cookies }: Visitor, answer: Answer): void {
  for (const line of answer.cookies) {
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    if (/max-age=0/i.test(line)) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
