import worker, { AddressConnections, AdminRoom, ChatRoom, Lobby, NightlyBackup } from "../../../workers/app";
import { keptReplies } from "../../../workers/kept-replies";
import { otherBindings, SimulatedBucket } from "./bindings";
import { SimulatedD1 } from "./d1";
import { installGlobals } from "./globals";
import { SimulatedObjects } from "./objects";
import { Actor, Scheduler } from "./scheduler";

export const ORIGIN = "http://localhost:8787";

/** Request of a person, which can be sent again as it was. */
export interface ClientRequest {
  method: string;
  /** Path with query. */
  path: string;
  json?: unknown;
  form?: Record<string, string | { name: string; text: string; type?: string }>;
  bytes?: Uint8Array<ArrayBuffer>;
  token?: string;
  cookie?: string;
}

export interface Answer {
  status: number;
  text: string;
  cookies: string[];
  bytes: ArrayBuffer;
  headers: Headers;
}

const NAMESPACES = {
  CHAT_ROOM: "ChatRoom",
  ADMIN_ROOM: "AdminRoom",
  LOBBY: "Lobby",
  ADDRESS_CONNECTIONS: "AddressConnections",
  NIGHTLY_BACKUP: "NightlyBackup",
};
const CLASSES = { ChatRoom, AdminRoom, Lobby, AddressConnections, NightlyBackup };

/** Time at which every history begins, before the clocks change: 30 October 2026, 16:00 UTC. */
export const START = Date.UTC(2026, 9, 30, 16);
const HOUR_MS = 3_600_000;

/** The shop's Worker with everything that it is bound to. */
export class World {
  readonly scheduler = new Scheduler();
  readonly d1: SimulatedD1;
  readonly bucket = new SimulatedBucket(this.scheduler);
  readonly objects = new SimulatedObjects(this.scheduler, CLASSES);
  env: Env;
  /** Arrivals elsewhere in this history: the recipients of mails, and the requests to other servers. */
  readonly arrived: { mails: string[]; requests: { url: string; id: string; body: string }[] } = {
    mails: [],
    requests: [],
  };
  /** Requests that are being answered. */
  readonly requests = new Set<Actor>();
  #restoreGlobals = () => {};
  #sent = 0;

  constructor(migrations: string) {
    this.d1 = new SimulatedD1(this.scheduler, migrations);
    const namespaces = Object.entries(NAMESPACES).map(([name, className]) => [
      name,
      this.objects.namespace(className),
    ]);
    this.env = {
      ...otherBindings(this.scheduler, this.arrived.mails),
      ...Object.fromEntries(namespaces),
      DB: this.d1.binding(),
      BUCKET: this.bucket.binding(),
    } as Env;
    this.objects.env = this.env;
  }

  /** Begins a history in an empty shop. @param seed of ids and random numbers */
  async begin(seed: number): Promise<void> {
    const { scheduler } = this;
    this.empty();
    scheduler.hasFaults = false;
    this.arrived.mails.length = 0;
    this.arrived.requests.length = 0;
    this.#restoreGlobals = installGlobals(scheduler, seed, (url, init) => this.#elsewhere(url, init));
    // What the isolate knows of an environment, such as that its shop has no keys of notifications, belongs to one history.
    this.env = { ...this.env };
    this.objects.env = this.env;
    await this.#forgetIsolate();
    scheduler.clear();
    scheduler.now = START;
  }

  end(): void {
    this.#restoreGlobals();
    this.empty();
  }

  /** Empties all storage, and ends what is running. */
  empty(): void {
    this.objects.reset();
    for (const actor of this.requests) actor.isAlive = false;
    this.requests.clear();
    this.scheduler.clear();
    this.d1.reset();
    this.bucket.reset();
    this.#sent = 0;
  }

  /** Answers a request to another server: a receiver of webhooks, or a push service. */
  #elsewhere(url: string, { headers, body }: RequestInit): Promise<Response> {
    const id = new Headers(headers).get("webhook-id") ?? "";
    return this.scheduler.call("fetch", new URL(url).host, () => {
      this.arrived.requests.push({ url, id, body: String(body) });
      return new Response(null, { status: 204 });
    });
  }

  /** Brings what the isolate keeps in memory to the same state before every history. */
  async #forgetIsolate(): Promise<void> {
    this.scheduler.now = START - HOUR_MS;
    const known = keptReplies.read(this.env);
    const request = { method: "POST", path: "/api/nowhere", json: {} };
    await Promise.all([known, this.send(request), this.drain()]);
    keptReplies.forget();
  }

  /** Lets everything happen that is pending, without waiting for alarms. */
  async drain(): Promise<void> {
    while (await this.scheduler.step(true)) {}
  }

  /** Tells that requests with a label, or what they have sent before their end, may still change something. */
  isBusyWith(label: string): boolean {
    return [...this.requests].some(({ name }) => name.endsWith(label)) || this.scheduler.isPending(label);
  }

  /** Sends a request through the whole Worker. @returns rejects when it or its answer is lost, or the request is aborted */
  send(request: ClientRequest): Promise<Answer> {
    const label = `${request.method} ${request.path}`;
    return this.scheduler.call("HTTP", label, () =>
      this.#answer(request, new Actor(`request ${++this.#sent} ${label}`)),
    );
  }

  async #answer(request: ClientRequest, actor: Actor): Promise<Answer> {
    this.requests.add(actor);
    const work = async () => {
      const context = {
        waitUntil: (promise: Promise<unknown>) => void promise.catch(() => undefined),
        passThroughOnException: () => {},
        props: {},
      };
      const received = toRequest(request) as Parameters<typeof worker.fetch>[0];
      const response = await worker.fetch(received, this.env, context as unknown as ExecutionContext);
      const bytes = await response.arrayBuffer();
      const { status, headers } = response;
      return {
        status,
        headers,
        cookies: headers.getSetCookie(),
        bytes,
        text: new TextDecoder().decode(bytes),
      };
    };
    try {
      return await actor.carry(() => this.scheduler.actors.run(actor, work));
    } finally {
      this.requests.delete(actor);
    }
  }
}

function toRequest({ method, path, json, form, bytes, token, cookie }: ClientRequest): Request {
  const headers = new Headers({ "CF-Connecting-IP": "2001:db8::1" });
  if (token) headers.set("Authorization", `Bearer ${token}`);
  if (cookie) headers.set("Cookie", cookie);
  if (cookie) headers.set("Origin", ORIGIN);
  if (json !== undefined) headers.set("Content-Type", "application/json");
  const body = json === undefined ? (bytes ?? (form ? toForm(form) : null)) : JSON.stringify(json);
  return new Request(ORIGIN + path, { method, headers, body, redirect: "manual" });
}

function toForm(fields: NonNullable<ClientRequest["form"]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, new File([value.text], value.name, { type: value.type ?? "text/csv" }));
  }
  return form;
}
