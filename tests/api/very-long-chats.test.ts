import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type Message, messagesOf, startChat } from "../support/chat";
import { connect } from "../support/live";
import { manager, person } from "../support/people";
import { pressWith, unzipped } from "../support/personal-data";
import { call } from "../support/shop";

/** 5,000 messages of 8 kB are 42 MB: more than the 32 MiB that an answer of a room may have. */
const MESSAGES = 5000;
const LONGEST = "🙂".repeat(2000);

let ines: Awaited<ReturnType<typeof person>>;
let staff: string;
let chatId: string;
let last: number;

const seqsOf = (messages: Message[]) => messages.map(({ seq }) => seq);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

beforeAll(async () => {
  ines = await person();
  ({ token: staff } = await manager());
  ({ chatId } = await startChat({ initialMessage: "The very first" }, ines));
  // Posting them would take 28 minutes within the limits.
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage: { sql } }) => {
    for (let i = 0; i < MESSAGES; i++)
      sql.exec(
        "INSERT INTO messages (id, message, is_from_admin, written_by, sender_name, at) VALUES (?, ?, 0, 1, 'Ines', ?)",
        `long-${i}`,
        i === MESSAGES - 1 ? "The very last" : LONGEST,
        i,
      );
    last = sql.exec<{ seq: number }>("SELECT max(seq) AS seq FROM messages").one().seq;
    // As the tasks after each message leave it.
    sql.exec("UPDATE chat SET answered_seq = ?, reported_seq = ?, mailed_seq = ?", last, last, last);
    sql.exec("DELETE FROM duties");
  });
}, 120_000);

describe("a chat with more messages than an answer of its room may have", () => {
  it.each([
    ["its visitor's page", () => call(`/chat/${chatId}`, ines)],
    ["the console", () => call(`/admin/chat?chat=${chatId}`, { token: staff })],
  ])("is shown from its end by %s", async (_, request) => {
    const answer = await request();
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html.includes(`"long-${MESSAGES - 1}"`), "its last message").toBe(true);
    expect(html.includes('"long-0"'), "its first message").toBe(false);
  });

  it("tells its visitor and staff that there are earlier messages, and nothing where all are shown", async () => {
    const tolu = await person();
    const short = await startChat({ initialMessage: "Short" }, tolu);
    const isTold = async (page: Promise<Response>) =>
      (await (await page).text()).includes("Earlier messages are left out");
    const inConsole = (id: string) => isTold(call(`/admin/chat?chat=${id}`, { token: staff }));
    expect(await isTold(call(`/chat/${chatId}`, ines))).toBe(true);
    expect(await isTold(call(`/chat/${short.chatId}`, tolu))).toBe(false);
    expect([await inConsole(chatId), await inConsole(short.chatId)]).toEqual([true, false]);
  });

  it("is read by the API as its latest messages, or in parts without a gap from any message on", async () => {
    const latest = seqsOf(await messagesOf(chatId, ines));
    expect(latest.length).toBeGreaterThan(400);
    expect(latest).toEqual(range(last - latest.length + 1, last));
    const all: number[] = [];
    for (;;) {
      const part = seqsOf(await messagesOf(chatId, ines, all.at(-1) ?? 0));
      if (part.length === 0) break;
      all.push(...part);
    }
    expect(all).toEqual(range(1, last));
  }, 120_000);

  it("sends a connection that has none of its messages the latest", async () => {
    const connection = await connect(`?chat=${chatId}&after=0`, { Authorization: `Bearer ${staff}` });
    const seqs = () =>
      connection
        .events()
        .filter(({ event }) => event === "new-message")
        .map(({ data }) => Number(data.seq));
    await expect.poll(() => seqs().at(-1)).toBe(last);
    expect(seqs().length).toBeLessThan(600);
    connection.socket.close();
  });

  it("is downloaded as a whole by its owner", async () => {
    const to = (await pressWith(ines, /^Download my data$/)).headers.get("Location") ?? "";
    const files = await unzipped(await call(to, ines));
    expect(Object.keys(files).filter((name) => name.endsWith("unreadable.txt"))).toEqual([]);
    const name = Object.keys(files).find((each) => each.endsWith("/chat.json")) ?? "";
    const chat = JSON.parse(files[name] ?? "") as { id: string; cart: unknown[]; messages: Message[] };
    expect([chat.id, chat.cart]).toEqual([chatId, []]);
    expect(seqsOf(chat.messages)).toEqual(range(1, last));
    expect(chat.messages.at(-1)?.message).toBe("The very last");
  }, 120_000);
});
