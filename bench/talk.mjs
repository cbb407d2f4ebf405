// Talks to a chat server over HTTP and WebSocket, to the shop and to what it is measured against alike.
import { Agent, request } from "node:http";
import WebSocket from "ws";

const HEARD_WITHIN = 30_000;
const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/**
 * Calls with JSON.
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
        done({ status: answer.statusCode, cookies, body: text ? JSON.parse(text) : null });
      });
    });
    call.once("error", failed);
    call.setTimeout(HEARD_WITHIN, () => call.destroy(new Error(`${address}: no answer`)));
    call.end(body);
  });
}

/**
 * A chat of a running shop, as its visitor has it.
 *
 * @param {string} url of the shop
 * @param {number} visitor number, which stands for an address: only so many chats may begin from one
 */
export async function shopChat(url, visitor) {
  const headers = { Origin: url, "CF-Connecting-IP": `2001:db8::${visitor.toString(16)}` };
  const { status, body, cookies } = await ask(`${url}/api/chat/create`, {
    json: { initialMessage: "Hello" },
    headers,
  });
  if (status !== 201) throw new Error(`chat/create answered ${status}`);
  const own = { Origin: url, Cookie: cookies };
  const { chatId } = body;
  const live = `${url.replace("http", "ws")}/socket.io/?chat=${chatId}`;
  return {
    post: (message, id) => ask(`${url}/api/chat/message`, { json: { chatId, message, id }, headers: own }),
    listen: () => open(live, { headers: own, event: (frame) => JSON.parse(frame) }),
    messages: async () => {
      const read = await ask(`${url}/api/chat/${chatId}/messages`, { method: "GET", headers: own });
      return read.body.messages;
    },
  };
}

/**
 * A chat of a stock Socket.IO server (stock-chat/server.mjs), whose frames are spoken here by hand.
 *
 * @param {string} url of the server
 * @param {string} chatId
 */
export function stockChat(url, chatId) {
  const live = `${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  return {
    post: (message, id) => ask(`${url}/message`, { json: { chatId, message, id, senderName: "" } }),
    listen: () => joined(live, chatId),
  };
}

/** Engine.IO's open, Socket.IO's connect, then join-chat with an acknowledgement; 2 is a ping, which 3 answers. */
async function joined(address, chatId) {
  const listener = await open(address, { headers: {}, event: stockEvent });
  await new Promise((done) => {
    listener.socket.on("message", (data) => {
      const frame = String(data);
      if (frame.startsWith("0{")) listener.socket.send("40");
      else if (frame.startsWith("40")) listener.socket.send(`420["join-chat",${JSON.stringify(chatId)}]`);
      else if (frame.startsWith("430")) done();
      else if (frame === "2") listener.socket.send("3");
    });
  });
  return listener;
}

function stockEvent(frame) {
  if (!frame.startsWith("42[")) return null;
  const [event, data] = JSON.parse(frame.slice(2));
  return { event, data };
}

/** @typedef {{ socket: WebSocket, hears(id: string): Promise<void>, close(): void }} Listener */

/** @returns {Promise<Listener>} */
function open(address, { headers, event }) {
  const socket = new WebSocket(address, { headers, perMessageDeflate: false });
  const waiting = new Map();
  socket.on("message", (data) => {
    const heard = event(String(data));
    if (heard?.event === "new-message") waiting.get(heard.data.id)?.();
  });
  const hears = (id) =>
    new Promise((done, failed) => {
      const late = setTimeout(() => failed(new Error(`${address}: ${id} was not heard`)), HEARD_WITHIN);
      waiting.set(id, () => {
        clearTimeout(late);
        waiting.delete(id);
        done();
      });
    });
  return new Promise((done, failed) => {
    socket.once("error", failed);
    // A first frame may come with the handshake: who is to hear it listens before it is read.
    socket.once("open", () => done({ socket, hears, close: () => socket.terminate() }));
  });
}
