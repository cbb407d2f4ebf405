import { CUSTOMERS, SELLERS, type Seller } from "./runtime/fixture";
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
  /** Body of the first success, which every repetition gets as well. */
  success?: unknown;
}

/** What the people of a history know: what they have sent, and what the shop has acknowledged. */
export class Model {
  readonly visitors: Visitor[] = ["vera", "vito", "viola"].map((name) => ({
    name,
    cookies: new Map(),
    chatIds: [],
  }));
  readonly acts: Act[] = [];
  readonly customers: string[] = [...CUSTOMERS];
  /** Chats whose deletion somebody has asked for. */
  readonly deletedChats = new Set<string>();
  /** Customers who were merged into others, or whose merge may have been. */
  readonly mergedCustomers = new Set<string>();
  readonly violations: Violation[] = [];
  /** Commands that are not finished. */
  running = 0;
  #ids = 0;

  constructor(readonly world: World) {}

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

  /** Chats that a visitor knows. */
  chats(): { id: string; visitor: Visitor }[] {
    return this.visitors.flatMap((visitor) => visitor.chatIds.map((id) => ({ id, visitor })));
  }

  chat(n: number) {
    const chats = this.chats();
    return chats[n % chats.length];
  }

  /** Begins an act. */
  begin(kind: Act["kind"], by: Act["by"], request: ClientRequest, id = this.newId(kind)): Act {
    const act = { kind, id, request, by };
    this.acts.push(act);
    return act;
  }

  /** Sends an act, for the first time or again, and compares its answer with the first one. */
  async send(act: Act): Promise<Answer | null> {
    const by = "token" in act.by ? { token: act.by.token } : { cookie: cookieOf(act.by) };
    // The connection broke: the person may send it again.
    const answer = await this.world.send({ ...act.request, ...by }).catch(() => null);
    if (!answer) return null;
    if (!("token" in act.by)) keepCookies(act.by, answer);
    if (answer.status === 500)
      this.fail(`${act.request.method} ${act.request.path} answered 500: ${answer.text}`);
    if (answer.status < 300) this.#acknowledge(act, JSON.parse(answer.text));
    return answer;
  }

  #acknowledge(act: Act, body: unknown): void {
    if (act.success === undefined) act.success = body;
    else if (REPEATABLE.has(act.kind) && factsOf(act, body) !== factsOf(act, act.success))
      this.fail(
        `${act.kind} ${act.id} was answered ${factsOf(act, act.success)}, and again ${factsOf(act, body)}`,
      );
  }

  fail(message: string): void {
    this.violations.push(new Violation(message));
  }
}

const REPEATABLE = new Set<Act["kind"]>(["open", "message", "sale", "credit", "hold", "quote"]);

/** Facts of an answer that a repetition must repeat; others, such as the state of a hold, go on. */
function factsOf({ kind }: Act, body: unknown): string {
  const { id, chatId, seq, documents, number, total } = body as Record<string, unknown>;
  if (kind === "sale")
    return JSON.stringify(
      (documents as { id: string; number: string; total: number }[]).map((each) => [
        each.id,
        each.number,
        each.total,
      ]),
    );
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
