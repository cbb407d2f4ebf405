import { type ChildProcess, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepare, serve } from "../../../scripts/local-shop.mjs";
import signIns from "../../../scripts/seed/sign-ins.json";
import { freePort } from "../../support/running-shop";

const KILLS = Number(process.env.KILLS ?? 10);
const CHATS = 12;
/** Milliseconds of load before each kill. */
const LOAD = 1500;

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
async function write(chat: Chat, round: number, isOver: () => boolean): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const id = `r${round}-${i}`;
    const body = { chatId: chat.chatId, message: `Message ${id}`, isFromAdmin: false, senderName: "", id };
    const answer = await call("chat/message", chat.cookie, body).catch(() => null);
    if (!answer) return;
    if (answer.status === 201) {
      const message = (await answer.json().catch(() => null)) as { seq: number } | null;
      if (message) chat.answered.set(id, message.seq);
    } else await new Promise((done) => setTimeout(done, 200));
  }
}

/** Everything answered is there, at the place that was answered, and no number is missing or double. */
async function verify(chat: Chat): Promise<void> {
  const answer = await call(`chat/${chat.chatId}/messages`, chat.cookie);
  const { messages } = (await answer.json()) as { messages: { id: string; seq: number }[] };
  const stored = new Map(messages.map(({ id, seq }) => [id, seq]));
  for (const [id, seq] of chat.answered) expect(stored.get(id), `${chat.chatId} ${id}`).toBe(seq);
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, i) => i + 1));
  expect(stored.size).toBe(messages.length);
}

beforeAll(async () => {
  port = await freePort();
  prepare(stateDir);
  await start();
});
afterAll(async () => {
  await kill();
  rmSync(stateDir, { recursive: true, force: true });
});

describe("a shop that is killed under load (budgets: Never loses)", () => {
  it(`${KILLS} times: nothing answered is missing, no order changed, the list agrees with the chats`, async () => {
    const chats = await Promise.all(Array.from({ length: CHATS }, begin));
    for (let round = 0; round < KILLS; round++) {
      let isOver = false;
      const writers = chats.map((chat) => write(chat, round, () => isOver));
      await new Promise((done) => setTimeout(done, LOAD));
      await kill();
      isOver = true;
      await Promise.all(writers);
      await start();
      for (const chat of chats) await verify(chat);
    }
    expect(Math.min(...chats.map(({ answered }) => answered.size))).toBeGreaterThan(KILLS);

    const { email, password } = signIns[0] ?? { email: "", password: "" };
    const staff = cookiesOf(await call("auth/login", "", { email, password }));
    await new Promise((done) => setTimeout(done, 4000));
    const listed = (await (await call("chat", staff)).json()) as {
      id: string;
      unreadCount: number;
      lastMessage: string;
    }[];
    for (const chat of chats) {
      const answer = await call(`chat/${chat.chatId}/messages`, chat.cookie);
      const { messages } = (await answer.json()) as { messages: { message: string; isFromAdmin: boolean }[] };
      const own = messages.filter(({ isFromAdmin }) => !isFromAdmin);
      expect(listed.find(({ id }) => id === chat.chatId)).toMatchObject({
        unreadCount: own.length,
        lastMessage: own.at(-1)?.message,
      });
    }
  }, 600_000);
});
