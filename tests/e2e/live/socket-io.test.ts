import { io, type Socket } from "socket.io-client";
import { DEMO_SIGN_INS as signIns } from "../../../scripts/local-shop.mjs";
import { expect, test } from "../../support/browser";
import { fetchShop, runningShop } from "../../support/running-shop";

const sockets: Socket[] = [];
test.afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

/** Connects the unmodified socket.io-client. */
async function connect(cookie: string, address = ""): Promise<Socket> {
  const socket = io(runningShop().url, {
    path: "/socket.io/",
    transports: ["websocket"],
    upgrade: false,
    reconnectionAttempts: 5,
    reconnectionDelay: 1000,
    forceNew: true,
    extraHeaders: { Cookie: cookie, ...(address && { "CF-Connecting-IP": address }) },
  });
  sockets.push(socket);
  await nextEvent(socket, "connect");
  return socket;
}

/** Resolves to the data of the next such event. */
const nextEvent = <T>(socket: Socket, event: string): Promise<T> =>
  new Promise((done) => socket.once(event, (data: T) => done(data)));

/** Joins and waits for the ack. */
const joined = (socket: Socket, event: string, ...values: unknown[]) =>
  socket.emitWithAck(event, ...values) as Promise<{ ok: boolean; message?: string }>;

interface Sent {
  status: number;
  text: string;
  cookie: string;
}

/** Sends JSON or a form from the shop's own origin. */
async function send(path: string, body: object, cookie = "", method = "POST"): Promise<Sent> {
  const { url } = runningShop();
  const isForm = body instanceof FormData;
  const headers = {
    Origin: url,
    ...(!isForm && { "Content-Type": "application/json" }),
    ...(cookie && { Cookie: cookie }),
  };
  const sent = { method, headers, body: isForm ? body : JSON.stringify(body) };
  const answer = await fetchShop(path, { ...sent, redirect: "manual" });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { status: answer.status, text: await answer.text(), cookie: cookies.join("; ") };
}

function form(path: string, fields: Record<string, string | File>, cookie: string): Promise<Sent> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return send(path, body, cookie);
}

async function post(path: string, body: object, cookie = "") {
  const sent = await send(`/api/${path}`, body, cookie);
  return { json: JSON.parse(sent.text) as Record<string, string>, cookie: sent.cookie };
}

async function staff(): Promise<string> {
  const { email, password } = signIns.find(({ role }) => role === "manager") ?? { email: "", password: "" };
  return (await post("auth/login", { email, password })).cookie;
}

async function visitor() {
  const { json, cookie } = await post("chat/create", { userName: "Ines", isAnonymous: true });
  return { chatId: json.chatId ?? "", cookie };
}

test.describe("the stock socket.io-client", () => {
  test("exchanges messages, typing events and status between visitor, seller and admin room", async () => {
    const { chatId, cookie } = await visitor();
    const staffCookie = await staff();
    const [shopper, seller] = [await connect(cookie), await connect(staffCookie)];
    expect(await joined(shopper, "join-chat", chatId)).toEqual({ ok: true });
    expect(await joined(seller, "join-admin")).toEqual({ ok: true });
    expect(await joined(seller, "join-chat", chatId)).toEqual({ ok: true });

    const news = nextEvent<{ chat: object }>(seller, "new-user-message");
    const message = nextEvent<object>(shopper, "new-message");
    const sent = await post(
      "chat/message",
      { chatId, message: "Hello", isFromAdmin: false, senderName: "Ines" },
      cookie,
    );
    expect(await message).toEqual(sent.json);
    expect(await news).toMatchObject({ chatId, message: sent.json, chat: { userName: "Ines" } });

    const typing = nextEvent<object>(seller, "user-typing");
    shopper.emit("typing", chatId, "Ines");
    expect(await typing).toEqual({ chatId, isTyping: true, senderName: "Ines", isStaff: false });
    const stopped = nextEvent<object>(shopper, "user-typing");
    seller.emit("stop-typing", { chatId, senderName: "x" });
    expect(await stopped).toEqual({ chatId, isTyping: false, senderName: "Support Team", isStaff: true });

    const lobby = await connect("");
    const [inLobby, inChat] = [
      nextEvent<object>(lobby, "chat-status-change"),
      nextEvent<object>(shopper, "chat-status-change"),
    ];
    seller.emit("chat-status-change", { isOnline: true });
    expect(await Promise.all([inLobby, inChat])).toEqual([{ isOnline: true }, { isOnline: true }]);
  });

  test("receives text with a cart and with every kind of card", async () => {
    const { chatId, cookie } = await visitor();
    const staffCookie = await staff();
    const socket = await connect(cookie);
    const received: { message: string; cards?: { type: string }[] }[] = [];
    socket.on("new-message", (message) => received.push(message));
    expect(await joined(socket, "join-chat", chatId)).toEqual({ ok: true });
    const productId = "walnut-serving-board";
    /** Sends what adds a message, and returns the types of its cards and its text. */
    const next = async (answer: Promise<{ status: number }>): Promise<[string[], string]> => {
      const before = received.length;
      expect((await answer).status).toBeLessThan(400);
      await expect.poll(() => received.length).toBe(before + 1);
      const { cards = [], message } = received.at(-1) ?? { message: "" };
      return [cards.map(({ type }) => type), message];
    };

    const message = { chatId, message: "This one?", isFromAdmin: false, senderName: "Ines" };
    const card = { type: "product", productId };
    expect(await next(send("/api/chat/message", { ...message, card }, cookie))).toEqual([
      ["product"],
      "This one?",
    ]);
    const favourite = await send(`/api/favourite/${productId}`, {}, cookie, "PUT");
    const favourites = form("/chat", { intent: "favourites" }, `${cookie}; ${favourite.cookie}`);
    expect(await next(favourites)).toEqual([["product"], expect.stringContaining("walnut")]);
    const cart = await form("/cart", { intent: "add", id: productId, quantity: "2" }, cookie);
    const asked = form("/cart", { intent: "chat" }, `${cookie}; ${cart.cookie}`);
    expect(await next(asked)).toEqual([[], expect.stringMatching(/interested in buying.*2/s)]);
    const file = new File(["%PDF-1.4\n%%EOF"], "sketch.pdf");
    const files = form("/api/chat/message", { chatId, message: "", files: file }, cookie);
    expect(await next(files)).toEqual([["file"], "Attached: sketch.pdf"]);

    const lines = [{ productId, quantity: 1 }];
    const held = send("/api/hold", { chatId, lines }, staffCookie);
    expect(await next(held)).toEqual([["hold"], expect.stringMatching(/^Set aside until .*walnut/s)]);
    const offer = {
      title: "Engraving",
      lines: [{ description: "Name on the board", quantity: 1, amount: 12 }],
    };
    const quoted = send("/api/quote", { chatId, ...offer }, staffCookie);
    expect(await next(quoted)).toEqual([["quote"], expect.stringContaining("Engraving")]);
    const line = { productId, description: "Board", category: "HOME_DECOR", quantity: 1, amount: 40 };
    const sold = send("/api/sale", { chatId, paymentMode: "CASH", lines: [line] }, staffCookie);
    expect(await next(sold)).toEqual([["receipt"], expect.stringMatching(/^Receipt E-\d{4}-\d{6}/)]);
  });

  test("receives an error for rooms it may not join", async () => {
    const [mine, other] = [await visitor(), await visitor()];
    const socket = await connect(mine.cookie);
    const refused = nextEvent<object>(socket, "error");
    expect(await joined(socket, "join-chat", other.chatId)).toMatchObject({ ok: false });
    expect(await refused).toMatchObject({ event: "join-chat" });
    expect(await joined(socket, "join-admin")).toMatchObject({ ok: false });
    expect(await joined(socket, "chat-status-change", { isOnline: false })).toMatchObject({ ok: false });
    expect(socket.connected).toBe(true);
  });

  test("is rejected from another Origin", async () => {
    const socket = io(runningShop().url, {
      path: "/socket.io/",
      transports: ["websocket"],
      reconnection: false,
      forceNew: true,
      extraHeaders: { Origin: "https://elsewhere.example" },
    });
    sockets.push(socket);
    expect(await nextEvent<Error>(socket, "connect_error")).toBeInstanceOf(Error);
  });

  test("is disconnected without a reconnect when its address has too many connections", async () => {
    const oldest = await connect("", "203.0.113.10");
    const ended = nextEvent<string>(oldest, "disconnect");
    const others: Socket[] = [];
    for (let i = 0; i < 20; i++) others.push(await connect("", "203.0.113.10"));
    expect(await ended).toBe("io server disconnect");
    expect(oldest.active).toBe(false);
    expect(others.every(({ connected }) => connected)).toBe(true);
  });

  test("is disconnected when its session ends", async () => {
    const staffCookie = await staff();
    const seller = await connect(staffCookie);
    await joined(seller, "join-admin");
    const ended = nextEvent<string>(seller, "disconnect");
    await post("auth/logout", {}, staffCookie);
    expect(await ended).toBe("io server disconnect");
  });
});
