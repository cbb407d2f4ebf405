import { DurableObject } from "cloudflare:workers";
import { CLOSED } from "~/features/chat/limits";
import { endedSessions, setOnlineFromRoom } from "~/features/chat/operations/rooms.server";
import type { ClientEvent, ServerEvent } from "~/features/chat/protocol";
import type { ConnectionIdentity } from "~/features/chat/rooms";
import { adminRoom } from "~/http/shop-objects.server";
import { type RoomId, readConnectionRequest } from "./connections";
import { keptReplies } from "./kept-replies";
import { Sockets } from "./sockets";

/** Milliseconds between two session checks caused by messages. */
const SESSION_CHECK_INTERVAL_MS = 10_000;

/** Base class of rooms and lobbies: connections with their identities, and the end of their sessions. */
export abstract class LiveObject extends DurableObject<Env> {
  protected readonly sockets: Sockets;
  #lastSessionCheck = 0;
  #version = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sockets = new Sockets(ctx, env);
  }

  /** Returns the id under which the admin room lists this object while it is occupied. */
  protected abstract roomId(): RoomId;
  /** Returns the events for a new connection; null rejects it with 404. */
  protected abstract initialEvents(
    after: number | null,
    role: ConnectionIdentity["role"],
  ): Promise<ServerEvent[] | null> | ServerEvent[];
  /** Handles an event that is specific to this room. */
  protected abstract handleEvent(socket: WebSocket, event: ClientEvent): void;

  /** Accepts a live connection from the Worker, which has authenticated it. */
  override async fetch(upgrade: Request): Promise<Response> {
    const { after, ...request } = readConnectionRequest(upgrade);
    if ((await this.initialEvents(null, request.role)) === null) return new Response(null, { status: 404 });
    await this.reportOccupied(request);
    const first = await this.initialEvents(after, request.role);
    if (!first) return new Response(null, { status: 404 });
    const page = request.role === "staff" ? this.sockets.visitorPage() : null;
    return this.sockets.accept(request, page === null ? first : [...first, this.#pageEvent(page)]);
  }

  override async webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    const event = this.sockets.read(socket, frame);
    if (!event) return;
    if (event.event === "join-chat" || event.event === "join-admin")
      this.#setVisible(socket, event.data ?? {});
    if (event.event === "chat-status-change") await this.#changeStatus(socket, event.data.isOnline);
    else this.handleEvent(socket, event);
  }

  override webSocketClose(socket: WebSocket): void {
    // Answers the Close frame, for which a browser waits. The runtime would do so after 12 s.
    socket.close();
    this.#reportClosed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#reportClosed(socket);
  }

  #reportClosed(socket: WebSocket): void {
    const { addressEntry, page } = this.sockets.state(socket);
    if (page !== undefined) this.#sendPage();
    if (addressEntry) {
      const report = this.env.ADDRESS_CONNECTIONS.getByName(addressEntry.network).unregister(addressEntry.id);
      // A lost report leaves the entry until newer connections replace it.
      this.ctx.waitUntil(report.catch(() => undefined));
    }
    if (this.sockets.connected(undefined, socket).length === 0) this.reportEmpty();
  }

  /**
   * Sends the status to all connections.
   *
   * @returns number of connections
   */
  broadcastStatus(isOnline: boolean): number {
    keptReplies.forget();
    this.sockets.broadcastToAll({ event: "chat-status-change", data: { isOnline } });
    return this.sockets.connected().length;
  }

  /** Answers the next message by the automatic replies that have just been saved. */
  repliesChanged(): void {
    keptReplies.forget();
  }

  /** Closes a connection above the limit of its address. */
  closeConnection(id: string): void {
    this.sockets.closeConnection(id);
  }

  async closeEndedSessions(): Promise<void> {
    this.#lastSessionCheck = Date.now();
    const withSession = this.sockets
      .connected()
      .map((socket) => ({ socket, state: this.sockets.state(socket) }))
      .filter(({ state }) => state.tokenHash !== null);
    if (withSession.length === 0) return;
    const ended = await endedSessions(
      this.env,
      withSession.map(({ state }) => state),
    );
    for (const { socket, state } of withSession)
      if (state.tokenHash !== null && ended.has(state.tokenHash))
        socket.close(CLOSED.sessionEnded, "The session has ended.");
  }

  /** Limits the messages that a connection receives when the report of its ended session was lost. */
  protected scheduleSessionCheck(): void {
    if (Date.now() - this.#lastSessionCheck > SESSION_CHECK_INTERVAL_MS)
      this.ctx.waitUntil(
        this.closeEndedSessions().catch((error) => console.warn("Session check failed:", error)),
      );
  }

  /** Reports the first connection, and the first of each user, to the admin room. */
  protected async reportOccupied({ userId }: ConnectionIdentity): Promise<void> {
    if (userId === null && this.sockets.connected().length > 0) return;
    await adminRoom(this.env).roomOccupied(this.roomId(), userId, this.#nextVersion());
  }

  protected reportEmpty(): void {
    const report = adminRoom(this.env).roomEmptied(this.roomId(), this.#nextVersion());
    // A lost report leaves the room listed until the next status change finds it empty.
    this.ctx.waitUntil(report.catch(() => undefined));
  }

  #nextVersion(): number {
    this.#version = Math.max(this.#version + 1, Date.now());
    return this.#version;
  }

  #setVisible(
    socket: WebSocket,
    { visible, page }: { visible?: boolean | undefined; page?: string | undefined },
  ): void {
    if (visible === undefined) return;
    const before = this.sockets.visitorPage();
    this.sockets.setVisible(socket, visible, page);
    if (this.sockets.visitorPage() !== before) this.#sendPage();
  }

  /** Tells staff in the room which page of the shop the visitor has in front of them. It is not stored. */
  #sendPage(): void {
    this.sockets.broadcast(this.#pageEvent(this.sockets.visitorPage()), undefined, "staff");
  }

  #pageEvent = (page: string | null): ServerEvent => ({
    event: "visitor-page",
    data: { chatId: this.ctx.id.name ?? "", page },
  });

  async #changeStatus(socket: WebSocket, isOnline: boolean): Promise<void> {
    const refuse = () =>
      this.sockets.sendError(socket, "chat-status-change", "Only admins and managers may do this.");
    if (this.sockets.state(socket).role !== "staff") return refuse();
    await this.closeEndedSessions();
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!(await setOnlineFromRoom(this.env, this.sockets.state(socket), isOnline))) refuse();
  }
}

/** Connects visitors without a chat, who receive the status. */
export class Lobby extends LiveObject {
  protected roomId(): RoomId {
    return `lobby:${this.ctx.id.name}`;
  }

  protected initialEvents(): ServerEvent[] {
    return [];
  }

  protected handleEvent(socket: WebSocket, { event }: ClientEvent): void {
    const how = event.endsWith("-admin") ? "?room=admin" : "?chat={id}";
    this.sockets.sendError(socket, event, `Connect with ${how} for this.`);
  }
}
