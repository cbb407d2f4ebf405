import { DAY_MS } from "~/domain/durations";
import { MAX_ASKED_CHATS } from "~/features/chat/limits";
import { availableAt, PastStates } from "./past-states";
import { isRefusalTrue } from "./refusals";
import { CUSTOMERS, SELLERS, type Seller } from "./runtime/fixture";
import type { Answer, ClientRequest, World } from "./runtime/world";

/** Violated invariant. */
export class Violation extends Error {}

export interface Visitor {
  name: string;
  cookies: Map<string, string>;
  chatIds: string[];
  /** Number of the last write to D1 that an answer has given the bookmark of. */
  written: number;
}

/** Act of a person, which has the same id however often it is sent. */
export interface Act {
  kind:
    | "open"
    | "message"
    | "hold"
    | "quote"
    | "sale"
    | "mail"
    | "credit"
    | "correction"
    | "deposit"
    | "customer"
    | "decision"
    | "release"
    | "merge"
    | "import"
    | "undo"
    | "other";
  id: string;
  request: ClientRequest;
  by: Visitor | Seller;
  /** Time at which it was first sent, epoch milliseconds. */
  begunAt: number;
  /** Event with which the last attempt began. */
  sentAt: number;
  /** Event of the last answer. */
  answeredAt: number;
  /** Attempts without an answer, which may still be done. */
  unanswered: number;
  /** Body of the first success, which every repetition gets as well. */
  success?: unknown;
  /** Event with which that attempt began. */
  succeededFrom?: number;
}

/** Deletion of a chat, as people know it. */
interface Deletion {
  /** Attempts without an answer: each may be done at any time, or not at all. */
  unanswered: number;
  /** Events with which the last one that was acknowledged began and ended. */
  done: { began: number; ended: number } | null;
}

/** Flag of the manager's account that gives rights, as people know it. */
interface Flag {
  /** Undefined while a change is under way, and after one whose answer was lost until it is read back. */
  value: boolean | undefined;
  changes: number;
}

const MANAGER = `/api/user/${SELLERS[1].id}`;

/** Knowledge of the people of a history: the acts that they have sent, and the answers of the shop. */
export class Model {
  readonly visitors: Visitor[] = ["vera", "vito", "viola"].map((name) => ({
    name,
    cookies: new Map(),
    chatIds: [],
    written: 0,
  }));
  acts: Act[] = [];
  readonly customers: string[] = [...CUSTOMERS];
  readonly #deletions = new Map<string, Deletion>();
  readonly violations: Violation[] = [];
  /** Commands that are not finished. */
  running = 0;
  /** Number of restores, which end everything that was running. */
  generation = 0;
  /** Backup that was completed last, with the acts that were acknowledged before it began. */
  backup: { slices: Uint8Array<ArrayBuffer>[]; acknowledged: Set<Act> } | null = null;
  readonly rights: Record<"isManager" | "isUser", Flag> = {
    isManager: { value: true, changes: 0 },
    isUser: { value: true, changes: 0 },
  };
  readonly past: PastStates;
  #ids = 0;

  constructor(readonly world: World) {
    this.past = new PastStates(world.d1, world.scheduler);
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
    const { now: begunAt, events: sentAt } = this.world.scheduler;
    const act = { kind, id, request, by, begunAt, sentAt, answeredAt: 0, unanswered: 0 };
    this.acts.push(act);
    return act;
  }

  /** Lets time pass until a time, if that is ahead. */
  setClock(time: number): void {
    const { scheduler } = this.world;
    this.past.observe();
    scheduler.now = Math.max(scheduler.now, time);
  }

  /** Sends an act, for the first time or again, and compares its answer with what the person may expect. */
  async send(act: Act): Promise<Answer | null> {
    const { scheduler } = this.world;
    const began = scheduler.events;
    const wasLocked = this.#lockedSince(act.by);
    this.past.observe();
    act.sentAt = began;
    act.unanswered++;
    const by = "token" in act.by ? { token: act.by.token } : { cookie: cookieOf(act.by) };
    // The connection broke: the person may send it again.
    const answer = await this.world.send({ ...act.request, ...by }).catch(() => null);
    if (!answer) return null;
    act.unanswered--;
    act.answeredAt = scheduler.events;
    const { status, text } = answer;
    const name = `${act.kind} ${act.id} (${act.request.method} ${act.request.path})`;
    if (!("token" in act.by)) keepCookies(act.by, answer);
    if (status === 500) this.fail(`${name} was answered 500: ${text}`);
    if (status < 300 && wasLocked !== null && wasLocked === this.#lockedSince(act.by))
      this.fail(`${name} succeeded although the right was withdrawn`);
    if (status === 409) this.#checkRefusal(act, answer, began);
    if (status < 300) this.#acknowledge(act, JSON.parse(text), began);
    return answer;
  }

  #acknowledge(act: Act, body: unknown, began: number): void {
    if (act.success === undefined || this.#isForgotten(act)) {
      act.success = body;
      act.succeededFrom = began;
    } else if (REPEATABLE.has(act.kind) && factsOf(act, body) !== factsOf(act, act.success))
      this.fail(
        `${act.kind} ${act.id} was answered ${factsOf(act, act.success)}, and again ${factsOf(act, body)}`,
      );
  }

  /**
   * Tells that the shop knows an act no more: a start after a day, or one of a visitor with more chats than are asked for it,
   * and what was sent to a chat that was deleted.
   */
  #isForgotten(act: Act): boolean {
    const { kind, begunAt, request, success } = act;
    if (kind !== "open" && kind !== "message") return false;
    const { chatId = "" } = (kind === "open" ? success : (request.json ?? request.form)) as {
      chatId?: string;
    };
    const isOld = kind === "open" && Math.abs(this.world.scheduler.now - begunAt) >= DAY_MS;
    const isOfMany = kind === "open" && "chatIds" in act.by && act.by.chatIds.length > MAX_ASKED_CHATS;
    return isOld || isOfMany || this.fateOf(chatId, act) !== "kept";
  }

  /** Tells whether what an act has stored in a chat is still there; unknown beside and after an unanswered deletion. */
  fateOf(chatId: string, act: Act): "kept" | "deleted" | "unknown" {
    const { unanswered, done } = this.#deletions.get(chatId) ?? { unanswered: 0, done: null };
    if (unanswered === 0 && (!done || (act.succeededFrom ?? 0) > done.ended)) return "kept";
    const wasBefore = done && Math.max(act.sentAt, act.answeredAt) < done.began;
    return wasBefore && act.unanswered === 0 ? "deleted" : "unknown";
  }

  /** Deletes a chat, which counts as done when the shop has said so. */
  async deleteChat(chatId: string, by: Seller): Promise<void> {
    const deletion = this.#deletions.get(chatId) ?? { unanswered: 0, done: null };
    this.#deletions.set(chatId, deletion);
    const began = this.world.scheduler.events;
    deletion.unanswered++;
    const answer = await this.send(
      this.begin("other", by, { method: "DELETE", path: `/api/chat/${chatId}` }),
    );
    if (!answer || answer.status >= 500) return;
    deletion.unanswered--;
    if (answer.status < 300) deletion.done = { began, ended: this.world.scheduler.events };
  }

  /** Checks that a refusal was true at some time of the request. @param began event with which it began */
  #checkRefusal(act: Act, { text }: Answer, began: number): void {
    const { message } = JSON.parse(text) as { message: string };
    this.past.observe();
    if (!isRefusalTrue(message, act, this.past.since(began)))
      this.fail(`${act.kind} ${act.id} was refused for a reason of no time of the request: ${message}`);
  }

  /** Reads a product as a visitor, who sees a state of the shop that has the visitor's own writes. */
  async look(visitor: Visitor, product: string): Promise<void> {
    const { scheduler } = this.world;
    const { written } = visitor;
    const began = scheduler.now;
    const answer = await this.send(
      this.begin("other", visitor, { method: "GET", path: `/api/product/id/${product}` }),
    );
    if (answer?.status !== 200) return;
    type Read = { stock: number; units: { id: string; stock: number }[] };
    const { stock, units } = JSON.parse(answer.text) as Read;
    this.past.observe();
    const times = [began, scheduler.now].map((time) => Math.floor(time / 1000));
    const isPast = this.past.withWrite(written).some((state) =>
      [state.now, ...times].some((now) => {
        const available = availableAt(state, product, now);
        const sum = [...available.values()].reduce((total, pieces) => total + pieces, 0);
        return sum === stock && units.every((unit) => available.get(unit.id) === unit.stock);
      }),
    );
    if (!isPast) this.fail(`${visitor.name} reads ${stock} of ${product}, as before a write of their own`);
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
    const isAlone = !this.world.isBusyWith(`PUT ${MANAGER}`);
    flag.value = undefined;
    const request = { method: "PUT", path: MANAGER, json: { [name]: value } };
    const answer = await this.send(this.begin("other", SELLERS[0], request));
    if (!answer) return this.readRights();
    if (answer.status === 200 && isAlone && change === flag.changes) flag.value = value;
  }

  /** Reads the manager's rights back, unless a change of them may still be under way. */
  async readRights(): Promise<void> {
    const changes = () => this.rights.isManager.changes + this.rights.isUser.changes;
    const before = changes();
    if (this.world.isBusyWith(`PUT ${MANAGER}`)) return;
    const request = { method: "GET", path: "/api/user/all" };
    const answer = await this.send(this.begin("other", SELLERS[0], request));
    if (answer?.status !== 200 || before !== changes()) return;
    const users = JSON.parse(answer.text) as { id: string; isManager: boolean; isUser: boolean }[];
    const manager = users.find(({ id }) => id === SELLERS[1].id);
    if (!manager) return;
    this.rights.isManager.value = manager.isManager;
    this.rights.isUser.value = manager.isUser;
  }

  /** Forgets what was acknowledged after the backup that has been restored began. */
  forgetSince(acknowledged: Set<Act>): void {
    for (const act of this.acts) if (!acknowledged.has(act)) delete act.success;
    for (const flag of Object.values(this.rights)) {
      flag.value = undefined;
      flag.changes++;
    }
    for (const visitor of this.visitors) visitor.written = 0;
    this.#deletions.clear();
    this.past.forget();
  }

  readonly fail = (message: string): void => {
    this.violations.push(new Violation(message));
  };
}

const REPEATABLE = new Set<Act["kind"]>([
  ...("open message sale credit correction deposit hold quote".split(" ") as Act["kind"][]),
]);

/** Documents that a sale or a correction has made. */
export function documentsOf(kind: Act["kind"], body: unknown) {
  type Made = { id: string; number: string; total: number };
  const { documents, credit, sale } = body as { documents?: Made[]; credit: Made; sale: Made | null };
  return kind === "correction" ? [credit, ...(sale ? [sale] : [])] : documents;
}

/** Facts of an answer that a repetition must repeat; others, such as the state of a hold, go on. */
function factsOf({ kind }: Act, body: unknown): string {
  const { id, chatId, seq, number, total, amount, difference } = body as Record<string, unknown>;
  const documents = documentsOf(kind, body)?.map((each) => [each.id, each.number, each.total]);
  return JSON.stringify({ id, chatId, seq, number, total, amount, difference, documents });
}

const cookieOf = ({ cookies }: Visitor) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Reads the number of the write out of a signed cookie with a bookmark of the simulation. */
function writeOf(cookie: string): number {
  const [value = ""] = decodeURIComponent(cookie).split(".");
  return Number(/sim-(\d+)/.exec(atob(value))?.[1] ?? 0);
}

function keepCookies(visitor: Visitor, answer: Answer): void {
  const { cookies } = visitor;
  for (const line of answer.cookies) {
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    if (pair.slice(0, at).endsWith("bookmark"))
      visitor.written = Math.max(visitor.written, writeOf(pair.slice(at + 1)));
    if (/max-age=0/i.test(line)) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
