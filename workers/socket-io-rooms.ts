import { CLOSED } from "~/features/chat/limits";
import { chatIdentity, staffIdentity } from "~/features/chat/operations/access.server";
import { updateSettings } from "~/features/chat/operations/settings.server";
import { BadFrame, type ClientEvent, readEvent, type ServerEvent } from "~/features/chat/protocol";
import type { ConnectionIdentity } from "~/features/chat/rooms";
import { AppError } from "~/http/errors";
import { type RequestContext, requestContext } from "~/http/request-context.server";
import { lobbyOfAddress, openConnection, type RoomId } from "./connections";

/** Number of rooms that one Socket.IO client may join. */
const MAX_ROOMS = 20;
const RATE_LIMIT_MESSAGE = "Too many events. Wait a moment.";
const NOT_ALLOWED = "You don't have permission to do this.";

/** Socket.IO side of the gateway. */
interface Client {
  emit(event: string, data: unknown): void;
  /** Disconnects without a reconnect. */
  disconnect(): void;
  /** Disconnects, so that the client reconnects. */
  drop(): void;
}

/** Connections of a Socket.IO client to the lobby and to each joined room. */
export class SocketIoRooms {
  readonly #connections = new Map<RoomId, WebSocket>();
  #isClosed = false;

  constructor(
    private readonly request: Request,
    private readonly context: RequestContext,
    private readonly client: Client,
  ) {}

  /** Connects to the lobby for the status, and counts the client for its address unless it is staff's. */
  async enterLobby(): Promise<void> {
    const isCounted = (await staffIdentity(this.context)) === null;
    await this.#open(
      lobbyOfAddress(this.context),
      { role: "visitor", userId: null, tokenHash: null },
      null,
      isCounted,
    );
  }

  /**
   * Handles a client's event.
   *
   * @returns the error message; null on success
   */
  async handleEvent(name: unknown, values: unknown[]): Promise<string | null> {
    try {
      const failure = await this.#dispatch(readEvent(name, values));
      if (failure !== null) this.sendError(String(name), failure);
      return failure;
    } catch (error) {
      if (!(error instanceof BadFrame) && !(error instanceof AppError)) throw error;
      this.sendError(error instanceof BadFrame ? error.event : String(name), error.message);
      return error.message;
    }
  }

  sendError(event: string, message: string): void {
    this.client.emit("error", { event, message });
  }

  close(): void {
    this.#isClosed = true;
    for (const roomId of [...this.#connections.keys()]) this.#leave(roomId);
  }

  async #dispatch(event: ClientEvent): Promise<string | null> {
    if (event.event === "typing" || event.event === "stop-typing")
      return this.#forward(`chat:${event.data.chatId}`, event);
    // Events that no room counts are limited per address, since a client may open many connections.
    const { env, address } = this.context;
    const { success } = await env.LIMIT_LIVE_JOINS_ADDRESS.limit({ key: address });
    if (!success) return RATE_LIMIT_MESSAGE;
    switch (event.event) {
      case "join-chat":
        return this.#joinChat(event);
      case "join-admin":
        return this.#joinAdmin();
      case "leave-admin":
        this.#leave("admin");
        return null;
      case "chat-status-change":
        await updateSettings.execute(await this.#caller(), event.data);
        return null;
    }
  }

  async #joinChat(event: ClientEvent & { event: "join-chat" }): Promise<string | null> {
    const { chatId, after } = event.data;
    const identity = await chatIdentity(await this.#caller(), chatId);
    if (!identity) return NOT_ALLOWED;
    const roomId: RoomId = `chat:${chatId}`;
    if (this.#connections.has(roomId)) return this.#forward(roomId, event);
    if (this.#connections.size > MAX_ROOMS) return "You are in too many chats at once.";
    return (await this.#open(roomId, identity, after ?? null)) ? null : "Chat not found";
  }

  async #joinAdmin(): Promise<string | null> {
    const identity = await staffIdentity(await this.#caller());
    if (!identity) return NOT_ALLOWED;
    if (!this.#connections.has("admin")) await this.#open("admin", identity, null);
    return null;
  }

  #forward(roomId: RoomId, event: ClientEvent): string | null {
    const connection = this.#connections.get(roomId);
    connection?.send(JSON.stringify(event));
    return connection ? null : "Join the chat first.";
  }

  /** Authenticates each event anew, since the session may have ended. */
  #caller(): Promise<RequestContext> {
    return requestContext(this.request, this.context.env, this.context.waitUntil);
  }

  /** Opens a connection to a room. @returns false for a missing room */
  async #open(
    roomId: RoomId,
    identity: ConnectionIdentity,
    after: number | null,
    isCounted = false,
  ): Promise<boolean> {
    const { webSocket, status } = await openConnection(this.context, roomId, identity, after, isCounted);
    if (status === 404) return false;
    if (!webSocket) throw new Error(`${roomId} answered ${status}`);
    webSocket.accept();
    if (this.#isClosed) {
      webSocket.close();
      return true;
    }
    this.#connections.set(roomId, webSocket);
    webSocket.addEventListener("message", ({ data }) => this.#relay(roomId, data));
    webSocket.addEventListener("close", ({ code }) => this.#closed(roomId, code));
    return true;
  }

  #relay(roomId: RoomId, frame: unknown): void {
    if (typeof frame !== "string") return;
    const { event, data } = JSON.parse(frame) as ServerEvent;
    // Every connection receives the status; the lobby's is relayed.
    if (event !== "chat-status-change" || roomId.startsWith("lobby:")) this.client.emit(event, data);
  }

  #leave(roomId: RoomId): void {
    const connection = this.#connections.get(roomId);
    this.#connections.delete(roomId);
    connection?.close(1000);
  }

  #closed(roomId: RoomId, code: number): void {
    if (!this.#connections.delete(roomId)) return;
    if (code === CLOSED.sessionEnded || code === CLOSED.tooMany) this.client.disconnect();
    else if (code === CLOSED.chatGone) this.sendError("join-chat", "The chat was deleted.");
    else this.client.drop();
  }
}
