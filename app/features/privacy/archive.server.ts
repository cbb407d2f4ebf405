import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import type { Db } from "~/db/client.server";
import { CURRENCY_SHORT_NAME } from "~/domain/currency";
import { localDay } from "~/domain/days";
import { filesAmong } from "~/features/chat/files";
import type { ChatMessage } from "~/features/chat/protocol";
import { apiDocument } from "~/features/sales/operations/documents.server";
import { findDocuments } from "~/features/sales/queries/documents.server";
import { resultOrNull } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import {
  type Audience,
  findHolds,
  findMails,
  findQuotes,
  findStored,
  type StoredChat,
} from "./download.queries.server";
import type { Subject } from "./queries.server";

/** File of an archive: text, text that is written while it is read, or the content of a stored file. */
interface Entry {
  name: string;
  data: string | AsyncGenerator<string> | ReadableStream<Uint8Array>;
}

const README = `This archive contains what the shop stores about you.

account.json        your account, its sign-ins, favourites, browsers that get notifications, and what you wait for
customer.json       your record as a customer
documents.json      receipts and credit notes; amounts in ${CURRENCY_SHORT_NAME}
quotes.json         quotes with their deposits; amounts in cents
holds.json          products that were set aside for you
mails.json          your mails that became messages, in full
cart.json           the cart of the browser that asked for this archive
chats/              your conversations, each with the cart at its start and the files that were sent

Times without a unit are seconds since 1970, UTC.
`;

const UNREADABLE = "Messages of this conversation could not be read. Ask the shop for them.\n";

type Services = Pick<RequestContext, "env" | "db" | "now" | "settings" | "cookies">;

/**
 * Answers with everything that the shop stores about a subject, as a ZIP file that is written while it is sent.
 *
 * @param audience the owner, whose browser has the cart, or the staff
 */
export async function personalArchive(
  context: Services,
  subject: Subject,
  audience: Audience,
): Promise<Response> {
  const { db, settings, now } = context;
  const stored = await findStored(db, subject, audience);
  const { account, customers, favourites, invitations, sessions, push, chats, backInStock } = stored;
  const notifications = push.map(({ endpoint, ...rest }) => ({ service: new URL(endpoint).host, ...rest }));
  const files: Record<string, Entry["data"]> = {
    "account.json": asJson({ account, sessions, favourites, notifications, invitations, backInStock }),
    "customer.json": asJson(customers),
    "documents.json": asJsonArray(stored.documentIds, (ids) => visibleDocuments(db, ids)),
    "quotes.json": asJsonArray(stored.quoteIds, (ids) => findQuotes(db, ids)),
    "holds.json": asJsonArray(stored.holdIds, (ids) => findHolds(db, ids)),
    "mails.json": asJsonArray(stored.mailIds, (ids) => findMails(db, ids)),
    ...(audience === "owner" && { "cart.json": asJson(context.cookies.cart) }),
  };
  const day = localDay(now, settings.timezone);
  return new Response(zipStream(entriesOf(context.env, files, chats)), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="personal-data-${day}.zip"`,
      "Cache-Control": "private, no-store",
      "X-Robots-Tag": "noindex",
    },
  });
}

async function* entriesOf(
  env: Env,
  files: Record<string, Entry["data"]>,
  chats: StoredChat[],
): AsyncGenerator<Entry> {
  yield { name: "README.txt", data: README };
  for (const [name, data] of Object.entries(files)) yield { name, data };
  for (const chat of chats) yield* chatEntries(env, chat);
}

async function* chatEntries(env: Env, chat: StoredChat): AsyncGenerator<Entry> {
  const folder = `chats/${new Date(chat.createdAt * 1000).toISOString().slice(0, 10)} ${chat.id}`;
  const room = env.CHAT_ROOM.getByName(chat.id);
  const next = messageReader(room);
  // Logs the error.
  const read = await resultOrNull(Promise.all([next(), room.lines()]));
  if (!read) {
    yield { name: `${folder}/unreadable.txt`, data: UNREADABLE };
    return;
  }
  const [first, cart] = read;
  const found: FoundInChat = { files: [], isReadable: true };
  yield {
    name: `${folder}/chat.json`,
    data: asChatJson({ ...chat, cart }, exportedParts(first, next, found)),
  };
  if (!found.isReadable) yield { name: `${folder}/unreadable.txt`, data: UNREADABLE };
  for (const { name, key } of found.files) {
    const object = await env.BUCKET.get(key);
    if (object) yield { name: `${folder}/${name}`, data: object.body };
  }
}

/** Returns a function that reads the next messages of a room, in order; none after the last. */
function messageReader(room: ReturnType<Env["CHAT_ROOM"]["getByName"]>) {
  let after = 0;
  return async (): Promise<ChatMessage[]> => {
    const { messages = [] } = (await room.history(after, "staff")) ?? {};
    after = messages.at(-1)?.seq ?? after;
    return messages;
  };
}

/** Files that the messages of a chat name, and whether all messages could be read. */
interface FoundInChat {
  files: { name: string; key: string }[];
  isReadable: boolean;
}

/** Reads the messages of a chat part by part for its visitor. @param found is completed meanwhile */
async function* exportedParts(
  first: ChatMessage[],
  next: () => Promise<ChatMessage[]>,
  found: FoundInChat,
): AsyncGenerator<object[]> {
  let part: ChatMessage[] | null = first;
  while (part && part.length > 0) {
    for (const { seq, cards } of part)
      for (const [i, { name, key }] of filesAmong(cards).entries())
        found.files.push({ name: fileName(seq, i, name), key });
    yield part.map((message) => exported(message));
    part = await resultOrNull(next());
  }
  found.isReadable = part !== null;
}

/** Writes a chat as JSON with its messages last, part by part. */
async function* asChatJson(chat: object, parts: AsyncGenerator<object[]>): AsyncGenerator<string> {
  yield `${JSON.stringify(chat, null, 2).slice(0, -"\n}".length)},\n  "messages": [`;
  let separator = "\n";
  for await (const part of parts) {
    yield separator + part.map((message) => JSON.stringify(message, null, 2)).join(",\n");
    separator = ",\n";
  }
  yield "\n  ]\n}\n";
}

const fileName = (seq: number, i: number, name: string) => `files/${seq}-${i + 1} ${name}`;

/** Converts a message for its visitor, with the names of its files in the archive. */
function exported({ staffName: _, cards, ...message }: ChatMessage) {
  const files = filesAmong(cards).map(({ name }, i) => fileName(message.seq, i, name));
  const others = (cards ?? []).filter(({ type }) => type !== "file");
  return { ...message, ...(others.length > 0 && { cards: others }), ...(files.length > 0 && { files }) };
}

/** Reads documents without who of the staff wrote them, which visitors do not see. */
async function visibleDocuments(db: Db, ids: string[]): Promise<object[]> {
  const documents = await findDocuments(db, ids);
  return documents.map(apiDocument).map(({ createdBy: _, ...document }) => document);
}

const asJson = (content: unknown) => `${JSON.stringify(content, null, 2)}\n`;

/** Rows that are read and held at once; D1 takes 1,000 queries of a request. */
const PAGE_ROWS = 500;

/** Writes rows as a JSON array, page by page. */
async function* asJsonArray(
  ids: string[],
  read: (page: string[]) => Promise<object[]>,
): AsyncGenerator<string> {
  for (let start = 0; start < ids.length; start += PAGE_ROWS) {
    const rows = await read(ids.slice(start, start + PAGE_ROWS));
    const texts = rows.map((row) => JSON.stringify(row, null, 2));
    yield `${start === 0 ? "[" : ","}\n${texts.join(",\n")}`;
  }
  yield ids.length === 0 ? "[]\n" : "\n]\n";
}

/** Writes a ZIP file as fast as it is read, one piece of one entry at a time. */
function zipStream(entries: AsyncGenerator<Entry>): ReadableStream<Uint8Array> {
  const chunks = zipped(entries);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

const encoder = new TextEncoder();

async function* zipped(entries: AsyncGenerator<Entry>): AsyncGenerator<Uint8Array> {
  let written: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    written.push(chunk);
  });
  const taken = () => {
    const chunks = written;
    written = [];
    return chunks;
  };
  for await (const { name, data } of entries) {
    // Pictures and PDF files do not shrink.
    const file = data instanceof ReadableStream ? new ZipPassThrough(name) : new ZipDeflate(name);
    zip.add(file);
    for await (const chunk of typeof data === "string" ? [data] : data) {
      file.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      yield* taken();
    }
    file.push(new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
