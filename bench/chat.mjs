// Live chat: time until a message is stored, answered and delivered, compared with a standard Socket.IO server; cost of
// many chats and of many idle connections.
import { setTimeout as wait } from "node:timers/promises";
import { DEMO_SIGN_INS } from "../scripts/local-shop.mjs";
import { again, ask, shopChat, stockChat } from "./chat-clients.mjs";
import { cpuOf } from "./cpu.mjs";
import { median, quantile } from "./load.mjs";
import { largestOf } from "./memory.mjs";
import { freshShop, proxyWorker, stockChatServer } from "./shops.mjs";
import { number } from "./table.mjs";

const BUDGET = 2;
const ROUNDS = 7;
/** Below the rate limit of a chat, 30 messages in 10 seconds. */
const MESSAGES = 20;
const LISTENERS = [2, 100];
const CHATS = 1000;
const MESSAGES_PER_CHAT = 3;
/** Milliseconds after which the background work of a message is done. */
const SETTLED_AFTER = 200;
const AT_ONCE = 50;
const SOCKETS_OF_A_CHAT = 2;
/** The platform hibernates a Durable Object after 10 idle seconds. */
const ASLEEP_AFTER = 13_000;

/** Measures delivery of single messages with few and with many listeners. */
export function chat() {
  return withServers(async (start) => {
    const shop = await start(freshShop());
    const stock = await start(stockChatServer());
    const front = await start(proxyWorker(stock.url));
    const rows = [];
    for (const listeners of LISTENERS) rows.push(...(await delivery(shop, stock, front, listeners)));
    return rows;
  });
}

/** Measures many active chats at once, then their idle connections. */
export function crowd() {
  return withServers(async (start) => {
    const shop = await start(freshShop());
    const stock = await start(stockChatServer());
    const chats = await inWaves(Array.from({ length: CHATS }), () => newShopChat(shop));
    return [...(await allAtOnce(shop, chats)), await idle(shop, chats, stock)];
  });
}

/** Stops all started servers, also after an error. */
async function withServers(measure) {
  const running = [];
  try {
    return await measure(async (server) => running[running.push(await server) - 1]);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

let visitors = 0;
const newShopChat = (shop) => shopChat(shop.url, ++visitors);
const newStockChat = async (server) => stockChat(server.url, `chat-${++visitors}`);

/** Measures delivery on all servers in turn. */
async function delivery(shop, stock, front, listeners) {
  const pids = { ours: [shop.pid], stock: [stock.pid], front: [front.pid, stock.pid] };
  const sides = {
    ours: () => newShopChat(shop),
    stock: () => newStockChat(stock),
    front: () => newStockChat(front),
  };
  const rounds = [];
  for (const begin of Object.values(sides)) await conversation(await begin(), listeners);
  for (let round = 0; round < (listeners > 10 ? 5 : ROUNDS); round++) {
    const order = round % 2 ? Object.entries(sides) : Object.entries(sides).reverse();
    const taken = {};
    for (const [name, begin] of order) taken[name] = await conversation(await begin(), listeners, pids[name]);
    rounds.push(taken);
  }
  const what = `chat: POST answered, durable, heard by ${listeners}, p50`;
  const judged = listeners === 2;
  return [
    beside(what, rounds, "stock", "Socket.IO on Node alone", judged),
    beside(what, rounds, "front", "the same, served as the shop is", judged),
    ...byCpu(what.replace("p50", "by CPU time"), rounds),
  ];
}

/** Compares CPU time, which other load on the machine hardly affects. */
function byCpu(what, rounds) {
  const [ours, front] = ["ours", "front"].map((side) =>
    rounds.reduce((sum, round) => sum + round[side].cpu, 0),
  );
  if (!ours || !front) return [];
  const ratio = (ours / front).toFixed(2);
  return [{ what, ours: "", reference: "the same, served as the shop is", ratio, budget: "", pass: null }];
}

/**
 * @returns {Promise<{ times: number[], cpu: number | null }>} milliseconds of each message until its answer and
 *   last delivery; CPU time of the server's processes, background work included
 */
async function conversation(chat, listeners, pids = []) {
  const audience = await Promise.all(Array.from({ length: listeners }, () => chat.listen()));
  const times = [];
  const before = cpuOfAll(pids);
  for (let i = 0; i < MESSAGES; i++) {
    const id = `m-${visitors}-${i}`;
    const heard = audience.map((listener) => listener.hears(id));
    const from = performance.now();
    await Promise.all([chat.post(`Message ${i}`, id), ...heard]);
    times.push(performance.now() - from);
  }
  await wait(SETTLED_AFTER);
  const after = cpuOfAll(pids);
  for (const listener of audience) listener.close();
  return { times, cpu: before === null || after === null ? null : after - before };
}

function cpuOfAll(pids) {
  const each = pids.map(cpuOf);
  return each.includes(null) ? null : each.reduce((sum, ticks) => sum + ticks, 0);
}

function beside(what, rounds, reference, name, judged) {
  const all = (side) => median(rounds.flatMap((round) => round[side].times));
  const [ours, theirs] = [all("ours"), all(reference)];
  const ratios = rounds.map((round) => median(round.ours.times) / median(round[reference].times));
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return {
    what,
    ours: `${number(ours)} ms`,
    reference: `${number(theirs)} ms ${name}`,
    ratio: `${(ours / theirs).toFixed(2)} (${spread})`,
    budget: judged ? `≤ ${BUDGET}` : "",
    pass: judged ? ours / theirs <= BUDGET : null,
  };
}

async function allAtOnce(shop, chats) {
  const sentBefore = again.times;
  const from = performance.now();
  const times = (await Promise.all(chats.map(talk))).flat();
  const seconds = (performance.now() - from) / 1000;
  const sentAgain = again.times - sentBefore;
  const lost = await lostIn(shop, chats);
  const said = CHATS * MESSAGES_PER_CHAT;
  const rate = `${number(Math.round(said / seconds))}/s, p50 ${number(median(times))} ms, p95 ${number(quantile(times, 0.95))} ms`;
  return [
    {
      what: `chat: ${number(CHATS)} chats at once, ${MESSAGES_PER_CHAT} messages each`,
      ours: rate,
      budget: "",
      pass: null,
    },
    {
      what: "chat: of these lost, doubled, out of order or not in the list",
      ours: `${lost} of ${number(said)} (${sentAgain} sent again)`,
      budget: "0",
      pass: lost === 0,
    },
  ];
}

async function talk(chat) {
  const times = [];
  for (let i = 0; i < MESSAGES_PER_CHAT; i++) {
    const from = performance.now();
    await chat.post(`Number ${i}`, `n-${i}`);
    times.push(performance.now() - from);
  }
  return times;
}

/** Reads every chat and the list of chats back. @returns {Promise<number>} messages that differ from their answers */
async function lostIn(shop, chats) {
  await wait(1000);
  const expected = ["Hello", ...Array.from({ length: MESSAGES_PER_CHAT }, (_, i) => `Number ${i}`)];
  const listed = await listOf(shop);
  const wrong = await inWaves(chats, async (chat) => {
    const messages = (await chat.messages()).filter(({ isFromAdmin }) => !isFromAdmin);
    const inOrder = messages.every(({ seq }, i) => i === 0 || seq > messages[i - 1].seq);
    const row = listed.get(messages[0]?.chatId);
    const isSummed = row?.unreadCount === expected.length && row.lastMessage === expected.at(-1);
    const isWhole = messages.map(({ message }) => message).join() === expected.join();
    return isWhole && inOrder && isSummed ? 0 : MESSAGES_PER_CHAT;
  });
  return wrong.reduce((sum, count) => sum + count, 0);
}

async function listOf({ url }) {
  const { email, password } = DEMO_SIGN_INS.find(({ role }) => role === "admin");
  const { body } = await ask(`${url}/api/auth/login`, {
    json: { email, password },
    headers: { Origin: url },
  });
  const list = await ask(`${url}/api/chat`, {
    method: "GET",
    headers: { Authorization: `Bearer ${body.token}` },
  });
  return new Map(list.body.map((row) => [row.id, row]));
}

/**
 * Measures the memory of an idle connection on both servers. A first wave of connections, which closes again, is not measured:
 * it wakes all objects at once, and the process keeps the memory which that took.
 */
async function idle(shop, chats, stock) {
  const theirs = Array.from({ length: CHATS }, (_, i) => stockChat(stock.url, `idle-${i}`));
  const [ours, reference] = [await perSocket(shop, chats), await perSocket(stock, theirs)];
  const sockets = CHATS * SOCKETS_OF_A_CHAT;
  const format = ({ each, all }) => `${number(each)} kB each, ${number(all)} MB in all`;
  return {
    what: `chat: ${number(sockets)} idle connections, memory`,
    ours: ours ? format(ours) : "not available on this system",
    reference: reference ? `${format(reference)} Socket.IO on Node` : "",
    ratio: ours && reference ? (ours.each / reference.each).toFixed(2) : "",
    budget: "",
    pass: null,
  };
}

async function perSocket(server, chats) {
  const connect = () =>
    inWaves(chats, (chat) => Promise.all(Array.from({ length: SOCKETS_OF_A_CHAT }, () => chat.listen())));
  for (const listener of (await connect()).flat()) listener.close();
  await wait(ASLEEP_AFTER);
  const before = largestOf(server.pid);
  const audience = await connect();
  await wait(ASLEEP_AFTER);
  const after = largestOf(server.pid);
  await assertConnected(chats[0], audience[0]);
  for (const listener of audience.flat()) listener.close();
  if (before === null || after === null) return null;
  return { each: (after - before) / audience.flat().length, all: after / 1000 };
}

/** Fails unless idle connections still receive messages. */
async function assertConnected(chat, audience) {
  const heard = audience.map((listener) => listener.hears("awake"));
  await Promise.all([chat.post("Awake?", "awake"), ...heard]);
}

/** Maps items in concurrent groups of AT_ONCE. */
async function inWaves(items, action) {
  const results = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(action))));
  return results;
}
