import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { localDay } from "~/domain/days";
import { filesAmong } from "~/features/chat/files";
import type { ChatMessage } from "~/features/chat/protocol";
import { findDocuments } from "~/features/sales/documents.queries.server";
import { apiDocument } from "~/features/sales/documents.server";
import type { RequestContext } from "~/http/request-context.server";
import { type Audience, findStored, type StoredChat } from "./download.queries.server";
import type { Subject } from "./queries.server";

/** File of an archive: text, or the content of a stored file. */
interface Entry {
  name: string;
  data: string | ReadableStream<Uint8Array>;
}

const README = `This archive contains what the shop stores about you.

account.json        your account, its sign-ins, favourites and browsers that get notifications
customer.json       your record as a customer
documents.json      receipts and credit notes; amounts in dollars
quotes.json         quotes; amounts in cents
holds.json          products that were set aside for you
cart.json           the cart of the browser that asked for this archive
chats/              your conversations, each with the cart at its start and the files that were sent

Times without a unit are seconds since 1970, UTC.
`;

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
  const documents = await findDocuments(db, stored.documentIds);
  const { account, customers, favourites, sessions, push, holds, quotes, chats } = stored;
  const notifications = push.map(({ endpoint, ...rest }) => ({ service: new URL(endpoint).host, ...rest }));
  const files: Record<string, unknown> = {
    "account.json": { account, sessions, favourites, notifications },
    "customer.json": customers,
    // Visitors do not see who of the staff wrote.
    "documents.json": documents.map(apiDocument).map(({ createdBy: _, ...document }) => document),
    "quotes.json": quotes,
    "holds.json": holds,
    ...(audience === "owner" && { "cart.json": context.cookies.cart }),
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
  files: Record<string, unknown>,
  chats: StoredChat[],
): AsyncGenerator<Entry> {
  yield { name: "README.txt", data: README };
  for (const [name, content] of Object.entries(files)) yield { name, data: asJson(content) };
  for (const chat of chats) yield* chatEntries(env, chat);
}

async function* chatEntries(env: Env, chat: StoredChat): AsyncGenerator<Entry> {
  const folder = `chats/${new Date(chat.createdAt * 1000).toISOString().slice(0, 10)} ${chat.id}`;
  const room = env.CHAT_ROOM.getByName(chat.id);
  const messages = (await room.history(0, "staff"))?.messages ?? [];
  const cart = await room.lines();
  yield {
    name: `${folder}/chat.json`,
    data: asJson({ ...chat, cart, messages: messages.map((message) => exported(message)) }),
  };
  for (const message of messages) {
    for (const [i, card] of filesAmong(message.cards).entries()) {
      const object = await env.BUCKET.get(card.key);
      if (object) yield { name: `${folder}/${fileName(message.seq, i, card.name)}`, data: object.body };
    }
  }
}

const fileName = (seq: number, i: number, name: string) => `files/${seq}-${i + 1} ${name}`;

/** Converts a message for its visitor, with the names of its files in the archive. */
function exported({ staffName: _, cards, ...message }: ChatMessage) {
  const files = filesAmong(cards).map(({ name }, i) => fileName(message.seq, i, name));
  const others = (cards ?? []).filter(({ type }) => type !== "file");
  return { ...message, ...(others.length > 0 && { cards: others }), ...(files.length > 0 && { files }) };
}

const asJson = (content: unknown) => `${JSON.stringify(content, null, 2)}\n`;

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
    const file = typeof data === "string" ? new ZipDeflate(name) : new ZipPassThrough(name);
    zip.add(file);
    if (typeof data === "string") file.push(new TextEncoder().encode(data), true);
    else {
      for await (const chunk of data) {
        file.push(chunk);
        yield* taken();
      }
      file.push(new Uint8Array(), true);
    }
    yield* taken();
  }
  zip.end();
  yield* taken();
}
