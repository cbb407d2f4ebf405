import { decodePacket, type PacketType as EnginePacket, encodePacket } from "engine.io-parser";
import { Decoder, Encoder, type Packet, PacketType } from "socket.io-parser";
import { CLOSED, MAX_FRAME } from "~/features/chat/limits";
import { AppError } from "~/http/errors";
import type { RequestContext } from "~/http/request-context.server";
import { countEvent, type EventCount } from "./rate-limiter";
import { SocketIoRooms } from "./socket-io-rooms";
import { sizeOf } from "./sockets";

/** Engine.IO's heartbeat, as its own server has it, in milliseconds. */
const PING_INTERVAL = 25_000;
const PING_TIMEOUT = 20_000;
/** How long a client may take to say CONNECT, in milliseconds. */
const CONNECT_TIMEOUT = 45_000;
const NO_PLACE = "Invalid namespace";

/**
 * Opens the connection of a stock Socket.IO 4 client. It ends here, in the Worker; each room that it joins is one more
 * connection onwards with our own frames (docs/decisions/0010-socket-io-gateway.md).
 *
 * @throws AppError invalid for another protocol or transport
 */
export async function socketIo(request: Request, context: RequestContext): Promise<Response> {
  const { searchParams } = new URL(request.url);
  if (searchParams.get("EIO") !== "4" || searchParams.get("transport") !== "websocket")
    throw new AppError("invalid", "Engine.IO 4 by WebSocket is what is spoken here.");
  const { 0: client, 1: server } = new WebSocketPair();
  const stock = new StockClient(server, request, context);
  await stock.enter();
  server.accept();
  stock.greet();
  return new Response(null, { status: 101, webSocket: client });
}

/** Engine.IO and Socket.IO framing, both ways; what the events mean is the links' business. */
class StockClient {
  readonly #decoder = new Decoder();
  readonly #encoder = new Encoder();
  readonly #links: SocketIoRooms;
  #isConnected = false;
  #spent: EventCount = { since: 0, events: 0 };
  #queue: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly socket: WebSocket,
    request: Request,
    private readonly context: RequestContext,
  ) {
    this.#links = new SocketIoRooms(request, context, {
      emit: (event, data) => {
        if (this.#isConnected) this.#packet({ type: PacketType.EVENT, nsp: "/", data: [event, data] });
      },
      disconnect: () => this.#disconnect(),
      drop: () => this.#end(1001, "Please reconnect."),
    });
    this.#decoder.on("decoded", (packet) => this.#take(packet));
  }

  /** Counts it with its address's from the start: it may never say CONNECT. */
  enter(): Promise<void> {
    return this.#links.enterLobby();
  }

  greet(): void {
    this.socket.addEventListener("message", ({ data }) => this.#read(data));
    this.socket.addEventListener("close", () => this.#end());
    this.socket.addEventListener("error", () => this.#end());
    const handshake = {
      sid: crypto.randomUUID(),
      upgrades: [],
      pingInterval: PING_INTERVAL,
      pingTimeout: PING_TIMEOUT,
      maxPayload: MAX_FRAME,
    };
    this.#engine("open", JSON.stringify(handshake));
    this.#after(CONNECT_TIMEOUT, () => this.#end());
  }

  #read(frame: string | ArrayBuffer | Blob): void {
    if (typeof frame !== "string") this.#end(CLOSED.abuse, "Frames are text.");
    else if (sizeOf(frame) > MAX_FRAME) this.#end(CLOSED.tooBig, "A frame may have 16 kB.");
    else this.#engineSays(decodePacket(frame));
  }

  #engineSays({ type, data }: { type: EnginePacket; data?: unknown }): void {
    if (type === "pong") this.#beat();
    else if (type !== "message" || typeof data !== "string") this.#end();
    else if (this.#isAllowed()) this.#decode(data);
  }

  #isAllowed(): boolean {
    const { spent, verdict } = countEvent(this.#spent, this.context.env, Date.now());
    this.#spent = spent;
    if (verdict === "warn") this.#links.refuse("", "Too many events. Wait a moment.");
    if (verdict === "close") this.#end(CLOSED.abuse, "Too many events.");
    return verdict === "pass";
  }

  /** A packet that can't be read ends the connection, as Socket.IO's own server does; so does one with attachments. */
  #decode(text: string): void {
    try {
      if (/^[56]/.test(text)) throw new Error("No event here has attachments.");
      this.#decoder.add(text);
    } catch {
      this.#end(CLOSED.abuse, "Bad packet.");
    }
  }

  #take(packet: Packet): void {
    if (packet.type === PacketType.CONNECT) this.#connect(packet.nsp);
    else if (packet.type === PacketType.EVENT && packet.nsp === "/" && this.#isConnected) this.#event(packet);
    else if (packet.type === PacketType.DISCONNECT || !this.#isConnected) this.#end();
  }

  #connect(nsp: string): void {
    if (nsp !== "/") {
      this.#packet({ type: PacketType.CONNECT_ERROR, nsp, data: { message: NO_PLACE } });
      return;
    }
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#packet({ type: PacketType.CONNECT, nsp, data: { sid: crypto.randomUUID() } });
    this.#beat();
  }

  #event({ data, id }: Packet): void {
    const [event, ...values] = data as unknown[];
    this.#inOrder(async () => {
      const refusal = await this.#links.act(event, values);
      if (id === undefined) return;
      const answer = refusal === null ? { ok: true } : { ok: false, message: refusal };
      this.#packet({ type: PacketType.ACK, nsp: "/", id, data: [answer] });
    });
  }

  /** One event after the other: joining takes a while, and what comes next counts on it. */
  #inOrder(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error) => {
      console.warn("A Socket.IO client was dropped:", error);
      this.#end(1011, "Please reconnect.");
    });
  }

  #packet(packet: Packet): void {
    for (const encoded of this.#encoder.encode(packet)) this.#engine("message", encoded as string);
  }

  #engine(type: EnginePacket, data?: string): void {
    encodePacket({ type, ...(data !== undefined && { data }) }, true, (frame: string) => {
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(frame);
    });
  }

  /** The next ping, and the end when nothing answers it. */
  #beat(): void {
    this.#after(PING_INTERVAL, () => {
      this.#engine("ping");
      this.#after(PING_TIMEOUT, () => this.#end());
    });
  }

  #after(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }

  /** Tells the client that it was the shop who ended this: it doesn't reconnect by itself. */
  #disconnect(): void {
    this.#packet({ type: PacketType.DISCONNECT, nsp: "/" });
    this.#end();
  }

  #end(code = 1000, reason = ""): void {
    clearTimeout(this.#timer);
    this.#links.close();
    if (this.socket.readyState === WebSocket.OPEN) this.socket.close(code, reason);
  }
}
