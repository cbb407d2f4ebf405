import { type ChildProcess, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { DEMO_SIGN_INS, serve } from "../../../scripts/local-shop.mjs";
import { freePort, OWN_CONNECTION } from "../../support/running-shop";
import { copySeededState } from "../../support/seeded-state";

const KILLS = Number(process.env.KILLS ?? 3);
const CHATS = 12;
/** Answered messages before each kill. */
const LOAD = 60;

interface Chat {
  chatId: string;
  cookie: string;
  /** Message id → seq, of what was answered. */
  answered: Map<string, number>;
}

const stateDir = mkdtempSync(join(tmpdir(), "emporia-kill-"));
let port = 0;
let child: ChildProcess;

const call = (path: string, cookie: string, body?: object) =>
  fetch(`http://localhost:${port}/api/${path}`, {
    method: body ? "POST" : "GET",
    headers: {
      Origin: `http://localhost:${port}`,
      Cookie: cookie,
      ...OWN_CONNECTION,
      ...(body && { "Content-Type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

async function start(): Promise<void> {
  const shop = serve({ port, stateDir });
  child = shop.child;
  await shop.ready;
}

/** SIGKILL to the whole shop at once: wrangler and the workerd below it. */
async function kill(): Promise<void> {
  const ended = new Promise((done) => child.once("exit", done));
  const pids = descendants(child.pid ?? 0);
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It had ended already.
    }
  }
  await ended;
}

function descendants(root: number): number[] {
  const rows = execFileSync("ps", ["-Ao", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (pid: number): number[] => [
    pid,
    ...rows.filter(([, parent]) => parent === pid).flatMap(([own = 0]) => below(own)),
  ];
  return below(root);
}

async function begin(): Promise<Chat> {
  const answer = await call("chat/create", "", { initialMessage: "Begin" });
  const { chatId } = (await answer.json()) as { chatId: string };
  return { chatId, cookie: cookiesOf(answer), answered: new Map() };
}

/** Writes into a chat as fast as it is answered, until the shop is gone. */
async function write(chat: Chat, round: number, isOver: () => boolean, onAnswer: () => void): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const id = `r${round}-${i}`;
    const body = { chatId: chat.chatId, message: `Message ${id}`, isFromAdmin: false, senderName: "", id };
    const answer = await call("chat/message", chat.cookie, body).catch(() => null);
    if (!answer) return;
    if (answer.status !== 201) {
      await delay(200);
      continue;
    }
    const message = (await answer.json().catch(() => null)) as { seq: number } | null;
    if (!message) return;
    chat.answered.set(id, message.seq);
    onAnswer();
  }
}

/** Sale that was sent, and its document's number if it was answered. */
interface SentSale {
  id: string;
  number: string | null;
}
const PRODUCT = "cold-process-soap-bars";

const sell = (id: string, staff: string) =>
  call("sale", staff, {
    id,
    paymentMode: "CASH",
    lines: [{ productId: PRODUCT, quantity: 1, amount: 9.02 }],
  });
const numberIn = async (answer: Response) =>
  ((await answer.json()) as { documents: { number: string }[] }).documents[0]?.number ?? null;

/** Records sales as fast as they are answered, until the shop is gone. */
async function sellUntil(
  sales: SentSale[],
  staff: string,
  round: number,
  isOver: () => boolean,
): Promise<void> {
  for (let i = 0; i < 4 && !isOver(); i++) {
    const sale: SentSale = { id: `kill-${round}-${i}`, number: null };
    sales.push(sale);
    const answer = await sell(sale.id, staff).catch(() => null);
    if (!answer) return;
    if (answer.status === 201) sale.number = await numberIn(answer).catch(() => null);
  }
}

/** Repeats every sale, answered or not: each is there once, with its first number, and stock and books agree. */
async function verifySales(sales: SentSale[], staff: string, stock: number): Promise<void> {
  for (const sale of sales) {
    const answer = await sell(sale.id, staff);
    expect(answer.status, sale.id).toBe(201);
    const number = await numberIn(answer);
    expect(number).toBe(sale.number ?? number);
    sale.number = number;
  }
  expect(new Set(sales.map(({ number }) => number)).size).toBe(sales.length);
  expect(await stockOf(staff)).toBe(stock - sales.length);
  const movements = (await (await call(`product/${PRODUCT}/movements?limit=1000`, staff)).json()) as {
    quantity: number;
  }[];
  expect(movements.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(stock - sales.length);
}

async function stockOf(staff: string): Promise<number> {
  const product = (await (await call(`product/id/${PRODUCT}`, staff)).json()) as { stock: number };
  return product.stock;
}

/** Writes into every chat and records sales at once, and kills the shop meanwhile. */
async function killUnderLoad(chats: Chat[], round: number, sales: SentSale[], staff: string): Promise<void> {
  let isOver = false;
  let answered = 0;
  const { promise: loaded, resolve: onLoaded } = Promise.withResolvers<void>();
  const onAnswer = () => {
    answered++;
    if (answered === LOAD) onLoaded();
  };
  const writers = chats.map((chat) => write(chat, round, () => isOver, onAnswer));
  const seller = sellUntil(sales, staff, round, () => isOver);
  await loaded;
  await kill();
  isOver = true;
  await Promise.all([...writers, seller]);
}

/** Last message and number of unread messages, as the chat's own log has them. */
async function summaryOf({ chatId, cookie }: Chat) {
  const answer = await call(`chat/${chatId}/messages`, cookie);
  const { messages } = (await answer.json()) as { messages: { message: string; isFromAdmin: boolean }[] };
  const own = messages.filter(({ isFromAdmin }) => !isFromAdmin);
  return { id: chatId, unreadCount: own.length, lastMessage: own.at(-1)?.message };
}

/** Checks that every answered message is stored under its sequence number, and that none is missing or duplicated. */
async function verify(chat: Chat): Promise<void> {
  const answer = await call(`chat/${chat.chatId}/messages`, chat.cookie);
  const { messages } = (await answer.json()) as { messages: { id: string; seq: number }[] };
  const stored = new Map(messages.map(({ id, seq }) => [id, seq]));
  for (const [id, seq] of chat.answered) expect(stored.get(id), `${chat.chatId} ${id}`).toBe(seq);
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, i) => i + 1));
  expect(stored.size).toBe(messages.length);
}

test.beforeAll(async () => {
  port = await freePort();
  copySeededState(stateDir);
  await start();
});
test.afterAll(async () => {
  await kill();
  rmSync(stateDir, { recursive: true, force: true });
});

test(`after ${KILLS} kills under load every answered message and sale is stored once, and lists, stock and books agree`, async () => {
  test.setTimeout(KILLS * 60_000);
  const chats = await Promise.all(Array.from({ length: CHATS }, begin));
  const { email, password } = DEMO_SIGN_INS[0] ?? {};
  const staff = cookiesOf(await call("auth/login", "", { email, password }));
  const sales: SentSale[] = [];
  const stock = await stockOf(staff);
  for (let round = 0; round < KILLS; round++) {
    await killUnderLoad(chats, round, sales, staff);
    await start();
    for (const chat of chats) await verify(chat);
    await verifySales(sales, staff, stock);
  }
  expect(sales.length).toBeGreaterThanOrEqual(KILLS);
  expect(Math.min(...chats.map(({ answered }) => answered.size))).toBeGreaterThanOrEqual(KILLS);

  const summaries = await Promise.all(chats.map(summaryOf));
  const listed = async () => (await call("chat", staff)).json();
  await expect
    .poll(listed)
    .toEqual(expect.arrayContaining(summaries.map((row) => expect.objectContaining(row))));
});
