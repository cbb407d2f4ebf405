import { DurableObject } from "cloudflare:workers";
import { CLOSED } from "~/features/chat/limits";
import { endedSessions, setOnlineFromRoom } from "~/features/chat/operations.server";
import type { ClientEvent, ServerEvent } from "~/features/chat/protocol";
import type { Seat } from "~/features/chat/rooms";
import { connectionIdentity, type RoomId } from "./connection-identity";
import { Sockets } from "./sockets";

/** A passing broadcast looks after sessions at most this often, in milliseconds. */
const RECHECK_EVERY = 10_000;

/** What rooms and lobbies have in common: connections, who they belong to, and when these end. */
export abstract class LiveObject extends DurableObject<Env> {
  protected readonly sockets: Sockets;
  #rechecked = 0;
  #version = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sockets = new Sockets(ctx, env);
  }

  /** Where this is, for the admin room's list of places with someone in them. */
  protected abstract place(): RoomId;
  /** What a newcomer is told first; null when there is nowhere to come to. */
  protected abstract welcome(after: number | null): Promise<ServerEvent[] | null> | ServerEvent[];
  /** Acts on an event that is particular to this place. */
  protected abstract act(socket: WebSocket, event: ClientEvent): void;

  /** A live connection that the Worker has let through. */
  override async fetch(request: Request): Promise<Response> {
    const { after, ...arrival } = connectionIdentity(request);
    if ((await this.welcome(null)) === null) return new Response(null, { status: 404 });
    await this.arrive(arrival);
    const first = await this.welcome(after);
    return first ? this.sockets.accept(arrival, first) : new Response(null, { status: 404 });
  }

  override async webSocketMessage(socket: WebSocket, frame: string | ArrayBuffer): Promise<void> {
    const event = this.sockets.read(socket, frame);
    if (!event) return;
    if (event.event === "chat-status-change") await this.#changeStatus(socket, event.data.isOnline);
    else this.act(socket, event);
  }

  override webSocketClose(socket: WebSocket): void {
    const { counted } = this.sockets.ticket(socket);
    if (counted) {
      const told = this.env.ADDRESS_CONNECTIONS.getByName(counted.network).closed(counted.id);
      // Not told, it counts until as many others have come.
      this.ctx.waitUntil(told.catch(() => undefined));
    }
    if (this.sockets.open(undefined, socket).length === 0) this.leave();
  }

  override webSocketError(socket: WebSocket): void {
    this.webSocketClose(socket);
  }

  /**
   * Tells everybody here whether the shop is online.
   *
   * @returns how many are here
   */
  status(isOnline: boolean): number {
    this.sockets.tellAll({ event: "chat-status-change", data: { isOnline } });
    return this.sockets.open().length;
  }

  /** Closes one connection: its address has too many. */
  closeConnection(id: string): void {
    this.sockets.closeConnection(id);
  }

  /** Ends the connections whose sessions have ended. */
  async recheck(): Promise<void> {
    this.#rechecked = Date.now();
    const bound = this.sockets
      .open()
      .map((socket) => ({ socket, ticket: this.sockets.ticket(socket) }))
      .filter(({ ticket }) => ticket.tokenHash !== null);
    if (bound.length === 0) return;
    const ended = await endedSessions(
      this.env,
      bound.map(({ ticket }) => ticket),
    );
    for (const { socket, ticket } of bound)
      if (ticket.tokenHash !== null && ended.has(ticket.tokenHash))
        socket.close(CLOSED.sessionEnded, "The session has ended.");
  }

  /** Should the news of an ended session ever be lost, it hears no more than this of what is said here. */
  protected recheckNowAndThen(): void {
    if (Date.now() - this.#rechecked > RECHECK_EVERY)
      this.ctx.waitUntil(this.recheck().catch((error) => console.warn("recheck failed:", error)));
  }

  /** The admin room learns of a place with its first connection, and of every user who has one. */
  protected async arrive({ userId }: Seat): Promise<void> {
    if (userId === null && this.sockets.open().length > 0) return;
    await this.env.ADMIN_ROOM.getByName("admin").present(this.place(), userId, this.#nextVersion());
  }

  protected leave(): void {
    const told = this.env.ADMIN_ROOM.getByName("admin").absent(this.place(), this.#nextVersion());
    // Not told, it stays listed until the next change of status finds nobody here.
    this.ctx.waitUntil(told.catch(() => undefined));
  }

  #nextVersion(): number {
    this.#version = Math.max(this.#version + 1, Date.now());
    return this.#version;
  }

  async #changeStatus(socket: WebSocket, isOnline: boolean): Promise<void> {
    if (this.sockets.ticket(socket).role !== "staff")
      return this.sockets.refuse(socket, "chat-status-change", "Only staff may do this.");
    await this.recheck();
    if (socket.readyState === WebSocket.OPEN) await setOnlineFromRoom(this.env, isOnline);
  }
}
