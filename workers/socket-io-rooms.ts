import { CLOSED } from "~/features/chat/limits";
import { seatIn, staffSeat, updateSettings } from "~/features/chat/operations.server";
import { BadFrame, type ClientEvent, readEvent, type ServerEvent } from "~/features/chat/protocol";
import type { Seat } from "~/features/chat/rooms";
import { AppError } from "~/http/errors";
import { type RequestContext, requestContext } from "~/http/request-context.server";
import { anyLobby, type Place, takeSeat } from "./connection-identity";

/** Rooms that one stock socket may be in at a time. */
const MOST_ROOMS = 20;
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
export class StockLinks {
  readonly #links = new Map<Place, WebSocket>();
  #isClosed = false;

  constructor(
    private readonly request: Request,
    private readonly context: RequestContext,
    private readonly client: Client,
  ) {}

  /** From here it hears whether the shop is online, whatever it joins. */
  async enterLobby(): Promise<void> {
    await this.#open(anyLobby(), { role: "visitor", userId: null, tokenHash: null }, null);
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
      default:
        return this.#forward(`chat:${event.data.chatId}`, event);
    }
  }

  async #joinChat(event: ClientEvent & { event: "join-chat" }): Promise<string | null> {
    const { chatId, after } = event.data;
    const seat = await seatIn(await this.#caller(), chatId);
    if (!seat) return NOT_ALLOWED;
    const place: Place = `chat:${chatId}`;
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

  #forward(place: Place, event: ClientEvent): string | null {
    const link = this.#links.get(place);
    link?.send(JSON.stringify(event));
    return link ? null : "Join the chat first.";
  }

  /** Who is calling is asked anew for each act: the session may have ended since the handshake. */
  #caller(): Promise<RequestContext> {
    return requestContext(this.request, this.context.env, this.context.waitUntil);
  }

  /** @returns false: there is no such place */
  async #open(place: Place, seat: Seat, after: number | null): Promise<boolean> {
    const { webSocket, status } = await takeSeat(this.context.env, place, seat, after);
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

  #hear(place: Place, frame: unknown): void {
    if (typeof frame !== "string") return;
    const { event, data } = JSON.parse(frame) as ServerEvent;
    // Every link hears of the status; once is enough.
    if (event !== "chat-status-change" || place.startsWith("lobby:")) this.client.emit(event, data);
  }

  #leave(place: Place): void {
    const link = this.#links.get(place);
    this.#links.delete(place);
    link?.close(1000);
  }

  #lost(place: Place, code: number): void {
    if (!this.#links.delete(place)) return;
    if (code === CLOSED.sessionEnded) this.client.disconnect();
    else if (code === CLOSED.chatGone) this.refuse("join-chat", "The chat was deleted.");
    else this.client.drop();
  }
}
