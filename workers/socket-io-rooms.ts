import { CLOSED } from "~/features/chat/limits";
import { seatIn, staffSeat, updateSettings } from "~/features/chat/operations.server";
import { BadFrame, type ClientEvent, readEvent, type ServerEvent } from "~/features/chat/protocol";
import type { Seat } from "~/features/chat/rooms";
import { AppError } from "~/http/errors";
import { type RequestContext, requestContext } from "~/http/request-context.server";
import { lobbyFor, openConnection, type RoomId } from "./connection-identity";

/** Rooms that one stock socket may be in at a time. */
const MOST_ROOMS = 20;
const TOO_FAST = "Too many events. Wait a moment.";
const NOT_ALLOWED = "You don't have permission to do this.";

/** The client's side of the links. */
interface Client {
  emit(event: string, data: unknown): void;
  /** Ends it for good. */
  disconnect(): void;
  /** Ends it so that it comes back. */
  drop(): void;
}

/** The connections that a stock client's events lead to: the lobby, and each room it has joined. */
export class SocketIoRooms {
  readonly #links = new Map<RoomId, WebSocket>();
  #isClosed = false;

  constructor(
    private readonly request: Request,
    private readonly context: RequestContext,
    private readonly client: Client,
  ) {}

  /** From here it hears whether the shop is online, whatever it joins; here it counts with its address's, unless it is staff's. */
  async enterLobby(): Promise<void> {
    const isCounted = (await staffSeat(this.context)) === null;
    await this.#open(
      lobbyFor(this.context),
      { role: "visitor", userId: null, tokenHash: null },
      null,
      isCounted,
    );
  }

  /**
   * Does what an event asks.
   *
   * @returns why not; null when it is done
   */
  async act(name: unknown, values: unknown[]): Promise<string | null> {
    try {
      const refusal = await this.#do(readEvent(name, values));
      if (refusal !== null) this.refuse(String(name), refusal);
      return refusal;
    } catch (error) {
      if (!(error instanceof BadFrame) && !(error instanceof AppError)) throw error;
      this.refuse(error instanceof BadFrame ? error.event : String(name), error.message);
      return error.message;
    }
  }

  refuse(event: string, message: string): void {
    this.client.emit("error", { event, message });
  }

  close(): void {
    this.#isClosed = true;
    for (const place of [...this.#links.keys()]) this.#leave(place);
  }

  async #do(event: ClientEvent): Promise<string | null> {
    if (event.event === "typing" || event.event === "stop-typing")
      return this.#forward(`chat:${event.data.chatId}`, event);
    // What is done here, and not counted by a room, is counted per address: a person may have many connections.
    const { env, address } = this.context;
    const { success } = await env.LIMIT_LIVE_JOINS_ADDRESS.limit({ key: address });
    if (!success) return TOO_FAST;
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
    const seat = await seatIn(await this.#caller(), chatId);
    if (!seat) return NOT_ALLOWED;
    const place: RoomId = `chat:${chatId}`;
    if (this.#links.has(place)) return this.#forward(place, event);
    if (this.#links.size > MOST_ROOMS) return "You are in too many chats at once.";
    return (await this.#open(place, seat, after ?? null)) ? null : "Chat not found";
  }

  async #joinAdmin(): Promise<string | null> {
    const seat = await staffSeat(await this.#caller());
    if (!seat) return NOT_ALLOWED;
    if (!this.#links.has("admin")) await this.#open("admin", seat, null);
    return null;
  }

  #forward(place: RoomId, event: ClientEvent): string | null {
    const link = this.#links.get(place);
    link?.send(JSON.stringify(event));
    return link ? null : "Join the chat first.";
  }

  /** Who is calling is asked anew for each act: the session may have ended since the handshake. */
  #caller(): Promise<RequestContext> {
    return requestContext(this.request, this.context.env, this.context.waitUntil);
  }

  /** @returns false: there is no such place */
  async #open(place: RoomId, seat: Seat, after: number | null, isCounted = false): Promise<boolean> {
    const { webSocket, status } = await openConnection(this.context, place, seat, after, isCounted);
    if (status === 404) return false;
    if (!webSocket) throw new Error(`${place} answered ${status}`);
    webSocket.accept();
    if (this.#isClosed) {
      webSocket.close();
      return true;
    }
    this.#links.set(place, webSocket);
    webSocket.addEventListener("message", ({ data }) => this.#hear(place, data));
    webSocket.addEventListener("close", ({ code }) => this.#lost(place, code));
    return true;
  }

  #hear(place: RoomId, frame: unknown): void {
    if (typeof frame !== "string") return;
    const { event, data } = JSON.parse(frame) as ServerEvent;
    // Every link hears of the status; once is enough.
    if (event !== "chat-status-change" || place.startsWith("lobby:")) this.client.emit(event, data);
  }

  #leave(place: RoomId): void {
    const link = this.#links.get(place);
    this.#links.delete(place);
    link?.close(1000);
  }

  #lost(place: RoomId, code: number): void {
    if (!this.#links.delete(place)) return;
    if (code === CLOSED.sessionEnded || code === CLOSED.tooMany) this.client.disconnect();
    else if (code === CLOSED.chatGone) this.refuse("join-chat", "The chat was deleted.");
    else this.client.drop();
  }
}
