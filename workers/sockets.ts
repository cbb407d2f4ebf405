import { CLOSED, MAX_FRAME } from "~/features/chat/limits";
import { BadFrame, type ClientEvent, readFrame, type ServerEvent } from "~/features/chat/protocol";
import { type ConnectionRequest, isAddressKey } from "./connections";
import { afterCatchUp, countEvent, type EventCount, isExpired } from "./limits";

/** Number of cached event counts above which expired ones are removed. */
const MAX_COUNTS = 256;

/** Milliseconds without a ping after which a page no longer counts as visible; pages send one every 25 s. */
const VISIBLE_MS = 60_000;

/** State of a live connection, stored in the socket's attachment, which survives hibernation. */
export interface SocketState extends ConnectionRequest {
  /** Epoch milliseconds, unique among the client's connections to this object. */
  opened: number;
  /** Receives broadcasts; leave-admin ends that. */
  joined: boolean;
  /** Time at which the page reported that it is visible, epoch milliseconds; 0 when it is hidden. */
  visibleAt: number;
  /** Path of the page that the visitor reported. */
  page?: string | undefined;
  /** Count of the client at the last event of this connection. */
  eventCount: EventCount;
}

/** Live connections of one Durable Object. */
export class Sockets {
  /** Event counts by client key; after hibernation they are read from the attachments. */
  readonly #counts = new Map<string, EventCount>();

  constructor(
    private readonly ctx: DurableObjectState,
    private readonly env: Env,
  ) {
    // The platform answers pings without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /**
   * Accepts a connection.
   *
   * @param initialEvents sent before any other event
   */
  accept(request: ConnectionRequest, initialEvents: ServerEvent[]): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    const { role, clientKey, addressEntry } = request;
    const opened = this.#closeExcess(clientKey);
    this.ctx.acceptWebSocket(server, [role, clientKey, ...(addressEntry ? [addressEntry.id] : [])]);
    this.setState(server, {
      ...request,
      opened,
      joined: true,
      visibleAt: 0,
      eventCount: { since: 0, events: 0 },
    });
    for (const event of initialEvents) this.send(server, event);
    return new Response(null, { status: 101, webSocket: client });
  }

  /**
   * Closes a client's oldest connections, so that one more stays within the limit. AddressConnections counts those of
   * clients known by their address.
   *
   * @returns opening time of the next connection
   */
  #closeExcess(client: string): number {
    const opened = (socket: WebSocket) => this.state(socket).opened;
    const others = this.connected(client).sort((one, other) => opened(one) - opened(other));
    const limit = Number(this.env.LIVE_CONNECTIONS_OF_A_PERSON) || 128;
    const tooMany = isAddressKey(client) ? [] : others.slice(0, Math.max(0, others.length + 1 - limit));
    for (const socket of tooMany) this.#closeOldest(socket);
    const latest = others.at(-1);
    return Math.max(Date.now(), latest ? opened(latest) + 1 : 0);
  }

  /** Closes a connection above the limit of its address. */
  closeConnection(id: string): void {
    for (const socket of this.connected(id)) this.#closeOldest(socket);
  }

  #closeOldest(socket: WebSocket): void {
    socket.close(CLOSED.tooMany, "Too many connections are open; this was the oldest.");
  }

  /**
   * Lists the open sockets.
   *
   * @param tag a role, a client key or the id of an address entry
   * @param except a socket that is closing
   */
  connected(tag?: string, except?: WebSocket): WebSocket[] {
    return this.ctx
      .getWebSockets(tag)
      .filter((socket) => socket !== except && socket.readyState === WebSocket.OPEN);
  }

  hasVisitor(): boolean {
    return this.connected("visitor").length > 0;
  }

  setVisible(socket: WebSocket, isVisible: boolean, page?: string): void {
    this.setState(socket, { ...this.state(socket), visibleAt: isVisible ? Date.now() : 0, page });
  }

  isVisible(role: SocketState["role"]): boolean {
    return this.#visible(role).length > 0;
  }

  /** Lists the connections of visible pages; one whose device sleeps has stopped its pings. */
  #visible(role: SocketState["role"]): WebSocket[] {
    return this.connected(role).filter((socket) => {
      const { visibleAt } = this.state(socket);
      const pinged = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
      return visibleAt > 0 && Math.max(visibleAt, pinged) > Date.now() - VISIBLE_MS;
    });
  }

  /** Returns the path of the page that the visitor turned to last; null without a visible one. */
  visitorPage(): string | null {
    const states = this.#visible("visitor").map((socket) => this.state(socket));
    return states.sort((one, other) => other.visibleAt - one.visibleAt)[0]?.page ?? null;
  }

  state(socket: WebSocket): SocketState {
    return socket.deserializeAttachment() as SocketState;
  }

  setState(socket: WebSocket, state: SocketState): void {
    socket.serializeAttachment(state);
  }

  send(socket: WebSocket, event: ServerEvent): void {
    sendFrame(socket, JSON.stringify(event));
  }

  /**
   * Sends an event to all joined connections except one.
   *
   * @param role sends it to this side only
   */
  broadcast(event: ServerEvent, except?: WebSocket, role?: SocketState["role"]): void {
    const frame = JSON.stringify(event);
    for (const socket of this.connected(role))
      if (socket !== except && this.state(socket).joined) sendFrame(socket, frame);
  }

  /** Sends an event to all connections, joined or not. */
  broadcastToAll(event: ServerEvent): void {
    const frame = JSON.stringify(event);
    for (const socket of this.connected()) sendFrame(socket, frame);
  }

  /**
   * Parses a client's frame within the limits.
   *
   * @returns null for a rejected frame, after an error event or the close of the connection
   */
  read(socket: WebSocket, frame: string | ArrayBuffer): ClientEvent | null {
    if (sizeOf(frame) > MAX_FRAME) {
      socket.close(CLOSED.tooBig, "A frame may have 16 kB.");
      return null;
    }
    return this.#isWithinLimit(socket) ? this.#parse(socket, frame) : null;
  }

  #isWithinLimit(socket: WebSocket): boolean {
    const { count, verdict } = countEvent(this.#countOf(socket), this.env, Date.now());
    this.#setCount(socket, count);
    if (verdict === "warn") this.sendError(socket, "", "Too many events. Wait a moment.");
    if (verdict === "close") socket.close(CLOSED.abuse, "Too many events.");
    return verdict === "pass";
  }

  #countOf(socket: WebSocket): EventCount {
    const { clientKey, eventCount: own } = this.state(socket);
    const count = this.#counts.get(clientKey);
    if (count) return count;
    const known = this.connected(clientKey).map((each) => this.state(each).eventCount);
    const isLater = (one: EventCount, other: EventCount) =>
      one.since > other.since || (one.since === other.since && one.events > other.events);
    return known.reduce((latest, each) => (isLater(each, latest) ? each : latest), own);
  }

  #setCount(socket: WebSocket, count: EventCount): void {
    const state = this.state(socket);
    this.setState(socket, { ...state, eventCount: count });
    this.#counts.set(state.clientKey, count);
    if (this.#counts.size <= MAX_COUNTS) return;
    for (const [key, each] of this.#counts) if (isExpired(each, Date.now())) this.#counts.delete(key);
  }

  #parse(socket: WebSocket, frame: string | ArrayBuffer): ClientEvent | null {
    try {
      if (typeof frame !== "string") throw new BadFrame("", "Frames are text.");
      return readFrame(frame);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.sendError(socket, error.event, error.message);
      return null;
    }
  }

  /** Sends missed messages, which counts as several events. */
  catchUp(socket: WebSocket, missed: ServerEvent[]): void {
    this.#setCount(socket, afterCatchUp(this.#countOf(socket), this.env));
    for (const event of missed) this.send(socket, event);
  }

  sendError(socket: WebSocket, event: string, message: string): void {
    this.send(socket, { event: "error", data: { event, message } });
  }

  /** Makes anonymous visitors reconnect under their account. */
  closeAnonymous(): void {
    for (const socket of this.connected("visitor"))
      if (this.state(socket).userId === null) socket.close(CLOSED.identityChanged, "Please reconnect.");
  }

  closeAll(code: number, reason: string): void {
    for (const socket of this.connected()) socket.close(code, reason);
  }
}

/** Measures a frame in bytes; a text with more characters than the limit is not encoded. */
export function sizeOf(frame: string | ArrayBuffer): number {
  if (typeof frame !== "string") return frame.byteLength;
  return frame.length > MAX_FRAME ? frame.length : new TextEncoder().encode(frame).byteLength;
}

function sendFrame(socket: WebSocket, frame: string): void {
  try {
    socket.send(frame);
  } catch {
    // The socket has just closed; its close event follows.
  }
}
