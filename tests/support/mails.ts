import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, vi } from "vitest";
import worker from "worker-under-test";
import { postMessage, runTasks, staffToken, startChat, written } from "./chat";
import { call } from "./shop";

const CRLF = "\r\n";

/** Part of a mail: its headers and its body as they are sent. */
export interface Part {
  headers: Record<string, string>;
  body: string;
}

const joined = (headers: Record<string, string>, body: string) =>
  [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", body].join(CRLF);

/** Builds a plain text. */
export const plain = (text: string): Part => ({
  headers: { "Content-Type": 'text/plain; charset="UTF-8"', "Content-Transfer-Encoding": "8bit" },
  body: text.replaceAll("\n", CRLF),
});

/** Builds an HTML part. */
export const html = (text: string): Part => ({
  headers: { "Content-Type": 'text/html; charset="UTF-8"', "Content-Transfer-Encoding": "8bit" },
  body: text.replaceAll("\n", CRLF),
});

/** Builds an attachment. @param bytes as text of one byte each, or bytes */
export const attachment = (name: string, type: string, bytes: Uint8Array | string): Part => ({
  headers: {
    "Content-Type": `${type}; name="${name}"`,
    "Content-Disposition": `attachment; filename="${name}"`,
    "Content-Transfer-Encoding": "base64",
  },
  body: (
    Buffer.from(bytes as Uint8Array)
      .toString("base64")
      .match(/.{1,76}/g) ?? []
  ).join(CRLF),
});

let boundaries = 0;

/** Joins parts. @param kind such as alternative or mixed */
export function multipart(kind: string, ...parts: Part[]): Part {
  const boundary = `part_${++boundaries}`;
  const written = parts.map(({ headers, body }) => `--${boundary}${CRLF}${joined(headers, body)}${CRLF}`);
  return {
    headers: { "Content-Type": `multipart/${kind}; boundary="${boundary}"` },
    body: `${written.join("")}--${boundary}--${CRLF}`,
  };
}

/** Text of a reply as both parts of a mail. */
interface Reply {
  text: string;
  html: string;
}

const paragraphs = (text: string) =>
  text
    .split("\n\n")
    .map((each) => `<div>${each}</div>`)
    .join("<div><br></div>");
const SHOP = "Emporia <no-reply@emporia.example>";
const QUOTED = "Hello Ines,\n\nhere is the answer of Support Team:\n\n> It is.";
const QUOTED_HTML =
  "<p>Hello Ines,</p><p>here is the answer of Support Team:</p><blockquote>It is.</blockquote>";
const asQuote = (text: string) => text.replace(/^/gm, "> ");

/** Writes a reply as Gmail does. */
export const gmailReply = (text: string): Reply => ({
  text: `${text}\n\nOn Mon, Nov 2, 2026 at 10:00 AM ${SHOP}\nwrote:\n\n${asQuote(QUOTED)}\n`,
  html: `<div dir="ltr">${paragraphs(text)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Mon, Nov 2, 2026 at 10:00 AM Emporia &lt;<a href="mailto:no-reply@emporia.example">no-reply@emporia.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px">${QUOTED_HTML}</blockquote></div>`,
});

/** Writes a reply as Outlook does. */
export const outlookReply = (text: string): Reply => ({
  text: `${text}\n\n________________________________\nFrom: ${SHOP}\nSent: Monday, November 2, 2026 10:00\nTo: Ines <ines@mail.example>\nSubject: Emporia has answered you\n\n${QUOTED}\n`,
  html: `<html><head><style>p { margin: 0 }</style></head><body><div class="elementToProof">${paragraphs(text)}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><font><b>From:</b> ${SHOP.replace("<", "&lt;")}<br><b>Sent:</b> Monday<br></font></div>${QUOTED_HTML}</body></html>`,
});

/** Writes a reply as Apple Mail does, on a phone. */
export const appleReply = (text: string): Reply => ({
  text: `${text}\n\nSent from my iPhone\n\n> On Nov 2, 2026, at 10:00, ${SHOP} wrote:\n> \n${asQuote(QUOTED)}\n`,
  html: `<html><body dir="auto">${paragraphs(text)}<div><br></div><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">On Nov 2, 2026, at 10:00, Emporia wrote:<br><br>${QUOTED_HTML}</blockquote></div></body></html>`,
});

let mails = 0;

/** Builds a raw mail, with a Message-ID of its own. */
export function rawMail({ headers, body }: Part, more: Record<string, string> = {}): string {
  const all = {
    From: "Ines Sommer <ines@mail.example>",
    To: "chat@emporia.example",
    Subject: "Re: Emporia has answered you",
    Date: "Mon, 02 Nov 2026 10:00:00 +0000",
    "Message-ID": `<${++mails}.reply@mail.example>`,
    "MIME-Version": "1.0",
    ...headers,
    ...more,
  };
  return joined(all, body);
}

/** Delivers a raw mail to the Worker, as the platform does. @param envelope `to` is the address that the mail was sent to */
export async function deliver(
  raw: string,
  { to, from = "ines@mail.example" }: { to: string; from?: string },
) {
  const bytes = new TextEncoder().encode(raw);
  const [head = ""] = raw.split(/\r\n\r\n|\n\n/, 1);
  const headers = new Headers();
  for (const line of head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const colon = line.indexOf(":");
    // A name that is no header is none of the platform's either.
    if (/^[\w-]+$/.test(line.slice(0, Math.max(0, colon))))
      headers.append(line.slice(0, colon), encodeURI(line.slice(colon + 1).trim()).replaceAll("%20", " "));
  }
  const rejected: string[] = [];
  const mail = {
    ...{ from, to, headers, rawSize: bytes.length, raw: new Response(bytes).body },
    setReject: (reason: string) => rejected.push(reason),
  };
  const ctx = createExecutionContext();
  await worker.email(mail as unknown as ForwardableEmailMessage, env, ctx);
  await waitOnExecutionContext(ctx);
  return rejected;
}

/** Catches the mails that the shop sends. */
export const catchMails = () => vi.spyOn(env.MAIL, "send").mockResolvedValue({ messageId: "1" });

/** Mail that the shop sent. */
export interface SentMail {
  to: string;
  raw: string;
  /** Address of replies; "" without one. */
  replyTo: string;
}

/** Lists the mails that the shop has sent. */
export function sentMails({ mock }: ReturnType<typeof catchMails>): SentMail[] {
  return mock.calls.map(([message]) => {
    const { to, "EmailMessage::raw": raw } = message as unknown as {
      to: string;
      "EmailMessage::raw": string;
    };
    return { to, raw, replyTo: /^Reply-To: <(.+)>/m.exec(raw)?.[1] ?? "" };
  });
}

/** Runs the mails of a chat that are due later, and returns those that were sent. */
export async function mailsOf(chatId: string, caught: ReturnType<typeof catchMails>): Promise<SentMail[]> {
  const before = caught.mock.calls.length;
  await runTasks(chatId);
  return sentMails(caught).slice(before);
}

/** Reads how many mails had an outcome. */
export async function outcomes(): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    "SELECT outcome, sum(mails) AS mails FROM received_mails GROUP BY 1",
  ).all<{
    outcome: string;
    mails: number;
  }>();
  return Object.fromEntries(results.map(({ outcome, mails: count }) => [outcome, count]));
}

/** Staff who answer, and the mails that the shop sends in a test. */
export const desk = { token: "", sent: null as unknown as ReturnType<typeof catchMails> };

/** Opens the shop before a file's tests, and forgets received mails before each of them. */
export function withDesk(): void {
  beforeAll(async () => {
    desk.token = await staffToken();
    await call("/api/chat/settings", { method: "PATCH", json: { isOnline: true }, token: desk.token });
  });
  beforeEach(async () => {
    desk.sent = catchMails();
    await env.DB.exec("DELETE FROM received_mails");
  });
}

export const VISITOR = { userName: "Ines", userEmail: "ines@mail.example", initialMessage: "Is it oak?" };

/** Answers a chat and returns the mail with the answer; undefined without one. */
export async function answer(chatId: string, email = VISITOR.userEmail): Promise<SentMail | undefined> {
  await postMessage(chatId, "It is.", { token: desk.token });
  return (await mailsOf(chatId, desk.sent)).find(({ to }) => to === email);
}

/** Starts a chat and answers it. @returns also the address at which the mail with the answer asks for a reply */
export async function answeredChat(from: Parameters<typeof startChat>[1] = {}, email = VISITOR.userEmail) {
  const chat = await startChat({ ...VISITOR, userEmail: email }, from);
  const mail = await answer(chat.chatId, email);
  if (!mail) throw new Error("The answer was not mailed.");
  return { ...chat, mail, to: mail.replyTo };
}

/** Reads the messages of a chat that came by mail. */
export const mailedTo = async (chatId: string) =>
  (await written(chatId, { token: desk.token })).filter(({ id }) => id.startsWith("mail-"));

export const textsOf = async (chatId: string) => (await mailedTo(chatId)).map(({ message }) => message);
