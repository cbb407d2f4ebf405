import type { MailOutcome } from "~/db/schema";
import { notRecorded } from "~/features/incidents/operations.server";
import { cleanFileName } from "~/features/storage/attachments.server";
import { MAX_FILES } from "~/features/storage/files";
import { emailKey } from "~/http/email-address";
import { AppError, type ErrorCode } from "~/http/errors";
import { LOOP_HEADER } from "~/http/mail.server";
import { parseInput } from "~/http/operation.server";
import { type RequestContext, requestContext } from "~/http/request-context.server";
import { sha256 } from "~/session/tokens.server";
import { MAIL_IDS, MAX_MESSAGE, SUPPORT_TEAM } from "../limits";
import type { ReadMail } from "../mail-reader";
import {
  countReceivedMail,
  dropMail,
  findTokenHolder,
  keepMail,
  type TokenHolder,
} from "../mails.queries.server";
import type { ConnectionIdentity } from "../rooms";
import { MessageInput } from "../schema";
import { staffNameOf } from "./access.server";
import { checkFiles } from "./files.server";
import { threadTokens } from "./mail-threads.server";
import { type NewMessage, postAs } from "./post.server";

/** Mail as the platform delivers it. */
export type DeliveredMail = Pick<ForwardableEmailMessage, "from" | "to" | "headers" | "raw" | "rawSize">;

/** Tools of the Worker that receives mails. */
export interface MailTools extends Pick<RequestContext, "waitUntil"> {
  /** Reads a raw mail; null for one that can't be read. */
  readMail: (raw: ArrayBuffer) => Promise<ReadMail | null>;
}

const MAX_MAIL_BYTES = 30 * 1024 * 1024;
/** Attachments that are looked at. */
const MAX_CHECKED = 20;

/**
 * Posts a mail to the conversation that its recipient's token names, as the person of the token. Any other mail is dropped:
 * an answer would go to an address that may be forged (docs/decisions/0078-mail-both-ways.md).
 *
 * @throws Error when nothing was decided, so that the sender's server tries again
 */
export async function receiveMail(
  env: Env,
  mail: DeliveredMail,
  { waitUntil, readMail }: MailTools,
): Promise<MailOutcome> {
  const context = await mailContext(env, waitUntil);
  const outcome = await outcomeOf(context, mail, readMail);
  await countReceivedMail(context.db, outcome, context.now).catch(notRecorded);
  return outcome;
}

/** Creates the context of the operation that posts, which no request has asked for. */
function mailContext(env: Env, waitUntil: RequestContext["waitUntil"]): Promise<RequestContext> {
  return requestContext(
    new Request("https://mail.invalid/api/chat/message", { method: "POST" }),
    env,
    waitUntil,
  );
}

async function outcomeOf(
  context: RequestContext,
  mail: DeliveredMail,
  readMail: MailTools["readMail"],
): Promise<MailOutcome> {
  const token = /^chat\+([\da-f]{40})@/i.exec(mail.to.trim())?.[1]?.toLowerCase();
  if (token === undefined) return "noToken";
  if (mail.rawSize > MAX_MAIL_BYTES) return "tooLarge";
  const reason = automatic(mail);
  if (reason) return reason;
  const holder = await findTokenHolder(context.db, await sha256(token));
  // Tokens end with the secret and, of staff, the address that they were derived from.
  if (!holder || !(await threadTokens(context.env, holder)).includes(token)) return "unknownToken";
  if (!(await isCurrent(holder))) return "unknownToken";
  if (holder.isErased) return "erased";
  if (holder.isLocked) return "locked";
  const raw = await new Response(mail.raw).arrayBuffer();
  const read = await readMail(raw);
  if (!read || (!read.text && !read.isEncrypted && read.attachments.length === 0)) return "unreadable";
  // The raw header may be encoded.
  if (AWAY.test(read.subject.toLowerCase())) return "automatic";
  const id = await messageIdOf(holder, read.messageId || (await digestOf(raw)));
  return postRead(context, holder, read, id);
}

/** Detects a token of an address that the visitor has now: one of an earlier address may be read by somebody else. */
async function isCurrent({ userId, party, address, customerAddress }: TokenHolder): Promise<boolean> {
  if (userId !== null) return true;
  const hashes = await Promise.all([address, customerAddress].map((each) => sha256(emailKey(each))));
  return hashes.includes(party);
}

/** Finds the reason for which a mail that no person wrote to us is dropped. */
function automatic({ from, headers }: Pick<DeliveredMail, "from" | "headers">): MailOutcome | null {
  const value = (name: string) => headers.get(name)?.trim().toLowerCase() ?? "";
  if (headers.has(LOOP_HEADER)) return "loop";
  const isReport = value("Content-Type").startsWith("multipart/report");
  if (/^<?>?$/.test(from.trim()) || /^(?:mailer-daemon|postmaster)@/i.test(from.trim()) || isReport)
    return "bounce";
  const precedence = value("Precedence");
  if (headers.has("List-Id") || /^(?:bulk|list|junk)\b/.test(precedence)) return "list";
  const isSubmitted = headers.has("Auto-Submitted") && !/^no\b/.test(value("Auto-Submitted"));
  const isReply = precedence === "auto_reply" || headers.has("X-Autoreply") || headers.has("X-Autorespond");
  return isSubmitted || isReply || AWAY.test(value("Subject")) ? "automatic" : null;
}

/** Subjects of Outlook's answers while somebody is away. */
const AWAY =
  /^(?:automatic reply|automatische antwort|réponse automatique|respuesta automática|out of office)\s?:/;

/** Derives the client id of a mail's message, by which the mail is posted once. */
async function messageIdOf(holder: TokenHolder, messageId: string): Promise<string> {
  return MAIL_IDS + (await sha256(`${holder.id}\0${messageId}`)).slice(0, 32);
}

/** Hashes a mail that has no Message-ID. */
const digestOf = async (raw: ArrayBuffer) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", raw)).toString("hex");

async function postRead(
  context: RequestContext,
  holder: TokenHolder,
  read: ReadMail,
  id: string,
): Promise<MailOutcome> {
  const { chatId, userId } = holder;
  const { sender, subject, fullText } = read;
  const receivedAt = context.now;
  const kept = await keepMail(context.db, {
    id,
    chatId,
    userId,
    sender,
    subject,
    text: fullText,
    receivedAt,
  });
  if (kept === "tooMany" || kept === "gone") return kept;
  try {
    await post(context, holder, read, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The same mail was posted with other files, which may have been too many then.
    if (error.code === "conflict") return "repeated";
    if (!(error.code === "notFound" || REFUSALS.has(error.code))) throw error;
    await dropMail(context.db, id);
    return error.code === "notFound" ? "gone" : "unreadable";
  }
  return kept === "repeated" ? "repeated" : "posted";
}

/** Errors of a message that no repetition mends. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(["invalid", "tooLarge", "unsupportedType"]);

/** Posts a message with the files that a chat takes; where it takes no more today or one of them is damaged, without them. */
async function post(context: RequestContext, holder: TokenHolder, read: ReadMail, id: string): Promise<void> {
  const { files, leftOut } = await selectFiles(read);
  const send = async (sent: File[], missing: string[]) =>
    postInput(context, holder, { ...messageOf(holder, read, sent, missing), id });
  const wait = await secondsToWait(send(files, leftOut)).catch((error: unknown) => {
    if (files.length > 0 && error instanceof AppError && REFUSALS.has(error.code)) return Number.NaN;
    throw error;
  });
  if (wait === null) return;
  const names = files.map(({ name }) => cleanFileName(name));
  const seconds = await secondsToWait(send([], [...names, ...leftOut]));
  if (seconds === null) return;
  await scheduler.wait(seconds * 1000);
  await send(files, leftOut);
}

const postInput = (context: RequestContext, holder: TokenHolder, input: NewMessage) =>
  postAs(
    context,
    identityOf(holder),
    input,
    Promise.resolve({ message: input.message ?? "", cards: [], isUnknown: false }),
  );

/** Waits for a message. @returns seconds until the chat takes more of them; null for a stored one */
async function secondsToWait(sent: Promise<unknown>): Promise<number | null> {
  try {
    await sent;
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === "rateLimited")
      return Number(error.headers["Retry-After"]);
    throw error;
  }
}

function identityOf({ userId, firstName }: TokenHolder): ConnectionIdentity {
  if (userId === null) return { role: "visitor", userId: null, tokenHash: null };
  const staffName = firstName === null ? SUPPORT_TEAM : staffNameOf({ firstName });
  return { role: "staff", userId, tokenHash: null, staffName };
}

/** Checks a message as one that is sent from a page. */
function messageOf({ chatId }: TokenHolder, read: ReadMail, files: File[], leftOut: string[]) {
  const form = new FormData();
  form.set("chatId", chatId);
  form.set("message", messageText(read, leftOut));
  for (const file of files) form.append("files", file);
  return parseInput(MessageInput, { form });
}

const ENCRYPTED = "This mail is encrypted and can't be read here.";
const SHORTENED = "… (The whole text is in the mail.)";
/** Names of files in the note about them. */
const MAX_NAMED = 5;

function messageText({ text, isEncrypted }: ReadMail, leftOut: string[]): string {
  const note = leftOut.length > 0 ? `Not attached here: ${named(leftOut)}` : "";
  const written = isEncrypted ? ENCRYPTED : text;
  const letters = [...written];
  const room = MAX_MESSAGE - [...note].length - 2;
  const shown =
    letters.length > room
      ? letters
          .slice(0, room - SHORTENED.length)
          .join("")
          .trimEnd() + SHORTENED
      : written;
  return [shown, note].filter(Boolean).join("\n\n");
}

/** Lists names, of many the first. */
function named(names: string[]): string {
  const listed = names.slice(0, MAX_NAMED).map((name) => name.slice(0, 60).toWellFormed());
  const more = names.length - listed.length;
  return [...listed, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Selects the attachments that a chat takes, by the rules of its files. @returns also the names of the others */
async function selectFiles({ attachments }: ReadMail): Promise<{ files: File[]; leftOut: string[] }> {
  const files: File[] = [];
  const leftOut: string[] = [];
  for (const [i, { name, type, bytes }] of attachments.entries()) {
    const file = new File([bytes], name, { type });
    const isTaken = i < MAX_CHECKED && files.length < MAX_FILES && (await isAllowed(file));
    if (isTaken) files.push(file);
    else leftOut.push(cleanFileName(name));
  }
  return { files, leftOut };
}

async function isAllowed(file: File): Promise<boolean> {
  try {
    await checkFiles([file]);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
