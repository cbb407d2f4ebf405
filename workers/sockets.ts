import { CLOSED, MAX_FRAME } from "~/features/chat/limits";
import { BadFrame, type ClientEvent, readFrame, type ServerEvent } from "~/features/chat/protocol";
import type { Seat } from "~/features/chat/rooms";
import { afterCatchUp, allowance, type Spent } from "./rate-limiter";

/** Everything that is known of a live connection: it lives in the socket's attachment, so that its object may sleep. */
export interface Ticket extends Seat {
  /** Whether it hears what is said here (leave-admin ends that). */
  joined: boolean;
  spent: Spent;
}

/** The live connections of one object. */
export class Sockets {
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
  accept({ role, userId, tokenHash }: Seat, first: ServerEvent[]): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [role]);
    this.write(server, { role, userId, tokenHash, joined: true, spent: { since: 0, events: 0 } });
    for (const event of first) this.send(server, event);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** @param except one that is about to be gone */
  open(role?: Seat["role"], except?: WebSocket): WebSocket[] {
    return this.ctx
      .getWebSockets(role)
      .filter((socket) => socket !== except && socket.readyState === WebSocket.OPEN);
  }

  ticket(socket: WebSocket): Ticket {
    return socket.deserializeAttachment() as Ticket;
  }

  write(socket: WebSocket, ticket: Ticket): void {
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
    const ticket = this.ticket(socket);
    const { spent, verdict } = allowance(ticket.spent, this.env, Date.now());
    this.write(socket, { ...ticket, spent });
    if (verdict === "warn") this.refuse(socket, "", "Too many events. Wait a moment.");
    if (verdict === "close") socket.close(CLOSED.abuse, "Too many events.");
    return verdict === "pass";
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
    const ticket = this.ticket(socket);
    this.write(socket, { ...ticket, spent: afterCatchUp(ticket.spent, this.env) });
    for (const event of missed) this.send(socket, event);
  }

  refuse(socket: WebSocket, event: string, message: string): void {
    this.send(socket, { event: "error", data: { event, message } });
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
