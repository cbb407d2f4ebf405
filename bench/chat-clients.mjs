// HTTP and WebSocket clients of the shop's chat and of its reference.
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import WebSocket from "ws";

const HEARD_WITHIN = 30_000;
const TRIES = 10;
const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/**
 * Sends a request with JSON.
 *
 * @param {string} address
 * @param {{ method?: string, json?: unknown, headers?: Record<string, string> }} call
 * @returns {Promise<{ status: number, cookies: string, body: any }>}
 */
export function ask(address, { method = "POST", json, headers = {} } = {}) {
  const body = json === undefined ? "" : JSON.stringify(json);
  const typed = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  return new Promise((done, failed) => {
    const call = request(address, { method, agent, headers: { ...typed, ...headers } }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.once("error", failed);
      answer.once("end", () => {
        const text = Buffer.concat(chunks).toString();
        const cookies = (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
        const isJson = /json/.test(answer.headers["content-type"] ?? "");
        done({ status: answer.statusCode, cookies, body: isJson ? JSON.parse(text) : text });
      });
    });
    call.once("error", failed);
    call.setTimeout(HEARD_WITHIN, () => call.destroy(new Error(`${address}: no answer`)));
    call.end(body);
  });
}

/** Number of repeated requests. */
export const again = { times: 0 };

/**
 * Repeats a request, as a client does, after a broken connection or an error of the local engine's proxy.
 *
 * @param {() => ReturnType<typeof ask>} action safe to repeat
 * @throws Error after a 4xx or the last attempt
 */
async function withRetries(action, expected = 201) {
  for (let tried = 1; ; tried++) {
    const answer = await action().catch((error) => ({ status: 599, cookies: "", body: String(error) }));
    if (answer.status === expected) return answer;
    if (answer.status < 500 || tried === TRIES)
      throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    again.times++;
    await wait(200 * tried);
  }
}

/**
 * Starts a chat as a visitor of a running shop.
 *
 * @param {string} url of the shop
 * @param {number} visitor number from which its IP address is derived, since new chats per address are limited
 */
export async function shopChat(url, visitor) {
  // One network per visitor: connections are counted by network.
  const address = `2001:db8:${visitor.toString(16)}::1`;
  const headers = { Origin: url, "CF-Connecting-IP": address };
  const { body, cookies } = await withRetries(() =>
    ask(`${url}/api/chat/create`, { json: { initialMessage: "Hello" }, headers }),
  );
  const own = { ...headers, Cookie: cookies };
  const { chatId } = body;
  const live = `${url.replace("http", "ws")}/socket.io/?chat=${chatId}`;
  return {
    post: (message, id) =>
      withRetries(() => ask(`${url}/api/chat/message`, { json: { chatId, message, id }, headers: own })),
    listen: () => open(live, { event: (frame) => JSON.parse(frame), headers: own }),
    messages: async () => {
      const read = () => ask(`${url}/api/chat/${chatId}/messages`, { method: "GET", headers: own });
      return (await withRetries(read, 200)).body.messages;
    },
  };
}

/**
 * Opens a chat on the standard Socket.IO server (stock-chat/server.mjs) with hand-written frames.
 *
 * @param {string} url of the server
 * @param {string} chatId
 */
export function stockChat(url, chatId) {
  const live = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  return {
    post: (message, id) =>
      withRetries(() => ask(`${url}/message`, { json: { chatId, message, id, senderName: "" } })),
    listen: () => joined(live, chatId),
  };
}

/** Engine.IO's open, Socket.IO's connect, then join-chat with an acknowledgement; 2 is a ping, which 3 answers. */
function joined(address, chatId) {
  const greet = (frame, socket, joined) => {
    if (frame.startsWith("0{")) socket.send("40");
    else if (frame.startsWith("40")) socket.send(`420["join-chat",${JSON.stringify(chatId)}]`);
    else if (frame.startsWith("430")) joined();
    else if (frame === "2") socket.send("3");
  };
  return open(address, { event: stockEvent, greet });
}

function stockEvent(frame) {
  if (!frame.startsWith("42[")) return null;
  const [event, data] = JSON.parse(frame.slice(2));
  return { event, data };
}

/** @typedef {{ hears(id: string): Promise<void>, close(): void }} Listener */

/**
 * Connects and listens.
 *
 * @param {string} address
 * @param {{ event: Function, greet?: Function, headers?: Record<string, string> }} manner parser of its frames, and the
 *   greeting that the server expects first
 * @returns {Promise<Listener>}
 */
function open(address, { event, greet, headers = {} }) {
  const socket = new WebSocket(address, { headers, perMessageDeflate: false });
  const waiting = new Map();
  const hears = (id) =>
    withinReason(`${address}: ${id} was not heard`, (done) => waiting.set(id, done)).finally(() =>
      waiting.delete(id),
    );
  return withinReason(`${address}: no connection`, (done, failed) => {
    const listener = { hears, close: () => socket.terminate() };
    socket.on("error", failed);
    socket.on("open", () => greet ?? done(listener));
    socket.on("message", (data) => {
      const frame = String(data);
      greet?.(frame, socket, () => done(listener));
      const heard = event(frame);
      if (heard?.event === "new-message") waiting.get(heard.data.id)?.();
    });
  });
}

/** Rejects a promise that takes too long. */
function withinReason(complaint, executor) {
  return new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error(complaint)), HEARD_WITHIN);
    const settle = (then) => (value) => {
      clearTimeout(late);
      then(value);
    };
    executor(settle(done), settle(failed));
  });
}
