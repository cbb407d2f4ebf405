import { decodePacket, type PacketType as EnginePacket, encodePacket } from "engine.io-parser";
import { Decoder, Encoder, type Packet, PacketType } from "socket.io-parser";
import { CLOSED, MAX_FRAME } from "~/features/chat/limits";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { countEvent, type EventCount } from "./limits";
import { SocketIoRooms } from "./socket-io-rooms";
import { sizeOf } from "./sockets";

/** Heartbeat of Engine.IO's own server, in milliseconds. */
const PING_INTERVAL = 25_000;
const PING_TIMEOUT = 20_000;
/** Milliseconds in which a client must send CONNECT. */
const CONNECT_TIMEOUT = 45_000;
const INVALID_NAMESPACE = "Invalid namespace";

/**
 * Connects a standard Socket.IO 4 client. The Worker terminates it and opens a connection with JSON frames to each
 * joined room (docs/decisions/0010-socket-io-gateway.md).
 *
 * @throws AppError invalid for another protocol or transport
 */
export async function socketIo(request: Request, context: RequestContext): Promise<Response> {
  const { searchParams } = new URL(request.url);
  if (searchParams.get("EIO") !== "4" || searchParams.get("transport") !== "websocket")
    throw new AppError("invalid", "Only Engine.IO 4 by WebSocket is supported.");
  const { 0: client, 1: server } = new WebSocketPair();
  const gateway = new SocketIoClient(server, request, context);
  await gateway.enter();
  server.accept();
  gateway.handshake();
  return new Response(null, { status: 101, webSocket: client });
}

/** Engine.IO and Socket.IO framing of one client; SocketIoRooms handles the events. */
class SocketIoClient {
  readonly #decoder = new Decoder();
  readonly #encoder = new Encoder();
  readonly #rooms: SocketIoRooms;
  #isConnected = false;
  #eventCount: EventCount = { since: 0, events: 0 };
  #queue: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly socket: WebSocket,
    request: Request,
    private readonly context: RequestContext,
  ) {
    this.#rooms = new SocketIoRooms(request, context, {
      emit: (event, data) => {
        if (this.#isConnected) this.#sendPacket({ type: PacketType.EVENT, nsp: "/", data: [event, data] });
      },
      disconnect: () => this.#disconnect(),
      drop: () => this.#end(1001, "Please reconnect."),
    });
    this.#decoder.on("decoded", (packet) => this.#handlePacket(packet));
  }

  /** Counts the client for its address at once, since it may never send CONNECT. */
  enter(): Promise<void> {
    return this.#rooms.enterLobby();
  }

  handshake(): void {
    this.socket.addEventListener("message", ({ data }) => this.#handleFrame(data));
    this.socket.addEventListener("close", () => this.#end());
    this.socket.addEventListener("error", () => this.#end());
    const open = {
      sid: crypto.randomUUID(),
      upgrades: [],
      pingInterval: PING_INTERVAL,
      pingTimeout: PING_TIMEOUT,
      maxPayload: MAX_FRAME,
    };
    this.#sendEnginePacket("open", JSON.stringify(open));
    this.#restartTimer(CONNECT_TIMEOUT, () => this.#end());
  }

  #handleFrame(frame: string | ArrayBuffer | Blob): void {
    if (typeof frame !== "string") this.#end(CLOSED.abuse, "Frames are text.");
    else if (sizeOf(frame) > MAX_FRAME) this.#end(CLOSED.tooBig, "A frame may have 16 kB.");
    else this.#handleEnginePacket(decodePacket(frame));
  }

  #handleEnginePacket({ type, data }: { type: EnginePacket; data?: unknown }): void {
    if (type === "pong") this.#startHeartbeat();
    else if (type !== "message" || typeof data !== "string") this.#end();
    else if (this.#isAllowed()) this.#decode(data);
  }

  #isAllowed(): boolean {
    const { count, verdict } = countEvent(this.#eventCount, this.context.env, Date.now());
    this.#eventCount = count;
    if (verdict === "warn") this.#rooms.sendError("", "Too many events. Wait a moment.");
    if (verdict === "close") this.#end(CLOSED.abuse, "Too many events.");
    return verdict === "pass";
  }

  /** Decodes a packet; an invalid one and one with attachments end the connection, like on Socket.IO's server. */
  #decode(text: string): void {
    try {
      if (/^[56]/.test(text)) throw new Error("No event here has attachments.");
      this.#decoder.add(text);
    } catch {
      this.#end(CLOSED.abuse, "Bad packet.");
    }
  }

  #handlePacket(packet: Packet): void {
    if (packet.type === PacketType.CONNECT) this.#connect(packet.nsp);
    else if (packet.type === PacketType.EVENT && packet.nsp === "/" && this.#isConnected) this.#event(packet);
    else if (packet.type === PacketType.DISCONNECT || !this.#isConnected) this.#end();
  }

  #connect(nsp: string): void {
    if (nsp !== "/") {
      this.#sendPacket({ type: PacketType.CONNECT_ERROR, nsp, data: { message: INVALID_NAMESPACE } });
      return;
    }
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#sendPacket({ type: PacketType.CONNECT, nsp, data: { sid: crypto.randomUUID() } });
    this.#startHeartbeat();
  }

  #event({ data, id }: Packet): void {
    const [event, ...values] = data as unknown[];
    this.#inOrder(async () => {
      const failure = await this.#rooms.handleEvent(event, values);
      if (id === undefined) return;
      const answer = failure === null ? { ok: true } : { ok: false, message: failure };
      this.#sendPacket({ type: PacketType.ACK, nsp: "/", id, data: [answer] });
    });
  }

  /** Handles events one after the other, since they depend on earlier joins. */
  #inOrder(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error) => {
      console.warn("A Socket.IO client was dropped:", error);
      this.#end(1011, "Please reconnect.");
    });
  }

  #sendPacket(packet: Packet): void {
    for (const encoded of this.#encoder.encode(packet)) this.#sendEnginePacket("message", encoded as string);
  }

  #sendEnginePacket(type: EnginePacket, data?: string): void {
    encodePacket({ type, ...(data !== undefined && { data }) }, true, (frame: string) => {
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(frame);
    });
  }

  /** Sends the next ping, and ends the connection when it stays unanswered. */
  #startHeartbeat(): void {
    this.#restartTimer(PING_INTERVAL, () => {
      this.#sendEnginePacket("ping");
      this.#restartTimer(PING_TIMEOUT, () => this.#end());
    });
  }

  #restartTimer(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }

  /** Ends the connection with DISCONNECT, after which clients do not reconnect. */
  #disconnect(): void {
    this.#sendPacket({ type: PacketType.DISCONNECT, nsp: "/" });
    this.#end();
  }

  #end(code = 1000, reason = ""): void {
    clearTimeout(this.#timer);
    this.#rooms.close();
    if (this.socket.readyState === WebSocket.OPEN) this.socket.close(code, reason);
  }
}
