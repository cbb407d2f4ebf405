import { CLOSED, MAX_FRAME } from "~/features/chat/limits";
import { BadFrame, type ClientEvent, readFrame, type ServerEvent } from "~/features/chat/protocol";
import { type Arrival, isAddress } from "./connection-identity";
import { afterCatchUp, countEvent, type EventCount, isPast } from "./rate-limiter";

/** Counts of persons that are kept before those without bearing are forgotten. */
const MAX_COUNTS = 256;

/** Everything that is known of a live connection: it lives in the socket's attachment, so that its object may sleep. */
export interface SocketState extends Arrival {
  /** Epoch milliseconds, later than any other of the person's here. */
  opened: number;
  /** Whether it hears what is said here (leave-admin ends that). */
  joined: boolean;
  /** Of the person, when this connection sent last. */
  spent: EventCount;
}

/** The live connections of one object. */
export class Sockets {
  /** What each person has sent. After the object slept, the attachments know. */
  readonly #spent = new Map<string, EventCount>();

  constructor(
    private readonly ctx: DurableObjectState,
    private readonly env: Env,
  ) {
    // Answered by the platform: a client may look whether the line is alive without waking anybody.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /**
   * Takes a connection in.
   *
   * @param first what it is told before anything else
   */
  accept(arrival: Arrival, first: ServerEvent[]): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    const { role, person, counted } = arrival;
    const opened = this.#makeRoom(person);
    this.ctx.acceptWebSocket(server, [role, person, ...(counted ? [counted.id] : [])]);
    this.write(server, { ...arrival, opened, joined: true, spent: { since: 0, events: 0 } });
    for (const event of first) this.send(server, event);
    return new Response(null, { status: 101, webSocket: client });
  }

  /**
   * Closes a person's oldest connections where one more would be too many. Those of an address alone are counted
   * elsewhere, with all of its others.
   *
   * @returns when the next one is opened
   */
  #makeRoom(person: string): number {
    const opened = (socket: WebSocket) => this.ticket(socket).opened;
    const others = this.open(person).sort((one, other) => opened(one) - opened(other));
    const limit = Number(this.env.LIVE_CONNECTIONS_OF_A_PERSON) || 8;
    const tooMany = isAddress(person) ? [] : others.slice(0, Math.max(0, others.length + 1 - limit));
    for (const socket of tooMany) this.#closeOldest(socket);
    const latest = others.at(-1);
    return Math.max(Date.now(), latest ? opened(latest) + 1 : 0);
  }

  /** Closes the connection that is too many of its address's. */
  closeConnection(id: string): void {
    for (const socket of this.open(id)) this.#closeOldest(socket);
  }

  #closeOldest(socket: WebSocket): void {
    socket.close(CLOSED.tooMany, "Too many connections are open; this was the oldest.");
  }

  /**
   * @param tag a role, a person or a counted connection's id
   * @param except one that is about to be gone
   */
  open(tag?: string, except?: WebSocket): WebSocket[] {
    return this.ctx
      .getWebSockets(tag)
      .filter((socket) => socket !== except && socket.readyState === WebSocket.OPEN);
  }

  ticket(socket: WebSocket): SocketState {
    return socket.deserializeAttachment() as SocketState;
  }

  write(socket: WebSocket, ticket: SocketState): void {
    socket.serializeAttachment(ticket);
  }

  send(socket: WebSocket, event: ServerEvent): void {
    deliver(socket, JSON.stringify(event));
  }

  /** Tells everybody who has joined, except one. */
  broadcast(event: ServerEvent, except?: WebSocket): void {
    const frame = JSON.stringify(event);
    for (const socket of this.open())
      if (socket !== except && this.ticket(socket).joined) deliver(socket, frame);
  }

  /** Tells everybody, whether they have joined or not. */
  tellAll(event: ServerEvent): void {
    const frame = JSON.stringify(event);
    for (const socket of this.open()) deliver(socket, frame);
  }

  /**
   * Reads what a client sent, within its limits.
   *
   * @returns null when there is nothing to act on: the client was told, or is gone
   */
  read(socket: WebSocket, frame: string | ArrayBuffer): ClientEvent | null {
    if (sizeOf(frame) > MAX_FRAME) {
      socket.close(CLOSED.tooBig, "A frame may have 16 kB.");
      return null;
    }
    return this.#within(socket) ? this.#parse(socket, frame) : null;
  }

  #within(socket: WebSocket): boolean {
    const { spent, verdict } = countEvent(this.#spentBy(socket), this.env, Date.now());
    this.#setSpent(socket, spent);
    if (verdict === "warn") this.refuse(socket, "", "Too many events. Wait a moment.");
    if (verdict === "close") socket.close(CLOSED.abuse, "Too many events.");
    return verdict === "pass";
  }

  #spentBy(socket: WebSocket): EventCount {
    const { person, spent: own } = this.ticket(socket);
    const spent = this.#spent.get(person);
    if (spent) return spent;
    const known = this.open(person).map((each) => this.ticket(each).spent);
    const isLater = (one: EventCount, other: EventCount) =>
      one.since > other.since || (one.since === other.since && one.events > other.events);
    return known.reduce((latest, each) => (isLater(each, latest) ? each : latest), own);
  }

  #setSpent(socket: WebSocket, spent: EventCount): void {
    const ticket = this.ticket(socket);
    this.write(socket, { ...ticket, spent });
    this.#spent.set(ticket.person, spent);
    if (this.#spent.size <= MAX_COUNTS) return;
    for (const [person, each] of this.#spent) if (isPast(each, Date.now())) this.#spent.delete(person);
  }

  #parse(socket: WebSocket, frame: string | ArrayBuffer): ClientEvent | null {
    try {
      if (typeof frame !== "string") throw new BadFrame("", "Frames are text.");
      return readFrame(frame);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.refuse(socket, error.event, error.message);
      return null;
    }
  }

  /** Sends what a connection has missed, which counts as several events. */
  catchUp(socket: WebSocket, missed: ServerEvent[]): void {
    this.#setSpent(socket, afterCatchUp(this.#spentBy(socket), this.env));
    for (const event of missed) this.send(socket, event);
  }

  refuse(socket: WebSocket, event: string, message: string): void {
    this.send(socket, { event: "error", data: { event, message } });
  }

  /** Has visitors without an account come back, as who they are by now. */
  closeAnonymous(): void {
    for (const socket of this.open("visitor"))
      if (this.ticket(socket).userId === null) socket.close(CLOSED.identityChanged, "Please reconnect.");
  }

  closeAll(code: number, reason: string): void {
    for (const socket of this.open()) socket.close(code, reason);
  }
}

/** A frame is bytes on the wire; a text that can't be within the limit needn't be encoded to know. */
export function sizeOf(frame: string | ArrayBuffer): number {
  if (typeof frame !== "string") return frame.byteLength;
  return frame.length > MAX_FRAME ? frame.length : new TextEncoder().encode(frame).byteLength;
}

function deliver(socket: WebSocket, frame: string): void {
  try {
    socket.send(frame);
  } catch {
    // It has just gone; its close event says the rest.
  }
}
