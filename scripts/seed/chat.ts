import { localDay } from "../../app/domain/days";
import { dollars } from "../../app/domain/money";
import { shopVars } from "../../app/http/shop-settings.server";
import chatDemo from "./chats.json";
import automatic from "./responses.json";

/** Minutes between two messages. */
const PACE = 3;
const WELCOME_ID = "welcome";
/** Name of the person who answers. */
const ANSWERER = "Maren";
/** Picture of theirs, among the demo's pictures. */
export const ANSWERER_PICTURE = "maren-1.webp";

type DemoChat = (typeof chatDemo.chats)[number];
interface Product {
  id: string;
  name: string;
  price_cents: number;
}

/**
 * Adds the demo's 12 chats, 8 predefined responses and the settings, with the shop online. The rooms read their messages from
 * chat_imports on their first request (docs/decisions/0009-live-chat.md). The newest chat is minutes old.
 *
 * @param env local bindings; the catalogue must be seeded
 */
export async function seedChats(env: Env): Promise<void> {
  const { results } = await env.DB.prepare("SELECT id, name, price_cents FROM products").all<Product>();
  const products = new Map(results.map((product) => [product.id, product]));
  const now = Date.now();
  const chats = chatDemo.chats.map((demo, i) => asImport(demo, i + 1, products, now));
  await env.DB.batch([
    ...chats.flatMap((chat) => chatRows(env, chat)),
    ...responseRows(env, Math.floor(now / 1000)),
    ...answerRows(env, chats),
    env.DB.prepare(
      `INSERT INTO chat_settings (one, welcome_message, offline_message, is_online, auto_response_enabled, version,
         answerer_name, answerer_picture, reply_seconds, reply_measured_at)
       VALUES (1, ?, ?, 1, 1, 1, ?, ?, ?, ?)`,
    ).bind(
      automatic.welcome,
      automatic.offline,
      ANSWERER,
      `products/${ANSWERER_PICTURE}`,
      PACE * 60,
      Math.floor(now / 1000),
    ),
  ]);
}

function asImport(demo: DemoChat, number: number, products: Map<string, Product>, now: number) {
  const id = `demo-chat-${String(number).padStart(2, "0")}`;
  const { userName, userEmail, userId } = demo;
  const lines = demo.lines.map(({ product, quantity }) => {
    const known = products.get(product);
    if (!known) throw new Error(`The demo's chats name a product that isn't there: ${product}`);
    return { productId: product, name: known.name, quantity, priceCents: known.price_cents };
  });
  const said = [{ from: "seller", text: automatic.welcome }, ...demo.messages];
  const last = now - demo.minutesAgo * 60_000;
  const messages = said.map(({ from, text }, i) => ({
    id: i === 0 ? `${id}:${WELCOME_ID}` : `${id}-${i}`,
    message: text === "@cart" ? aboutCart(lines) : text,
    isFromAdmin: from === "seller",
    senderName: from === "seller" ? "Support Team" : userName,
    at: last - (said.length - 1 - i) * PACE * 60_000,
  }));
  const chat = { id, userName, userEmail, userId, isAnonymous: userEmail === "", lines };
  return { chat, messages, unread: demo.unread };
}

/** Formats a cart as the 'Chat with Seller' button does. */
function aboutCart(lines: { name: string; quantity: number; priceCents: number }[]): string {
  const total = lines.reduce((sum, line) => sum + line.quantity * line.priceCents, 0);
  const items = lines.map((line) => `- ${line.name} × ${line.quantity}, ${dollars(line.priceCents)} each`);
  return ["I'm interested in buying these items:", ...items, `Total: ${dollars(total)}`].join("\n");
}

/** Creates a chat's list row, at revision 0 so that any update of its room is newer, and the content to import. */
function chatRows(env: Env, imported: ReturnType<typeof asImport>): D1PreparedStatement[] {
  const { chat, messages, unread } = imported;
  const [first, last] = [messages[0], messages.at(-1)];
  const row = env.DB.prepare(
    `INSERT INTO chats (id, user_name, user_email, user_id, is_anonymous, last_message, last_message_at,
       unread_count, revision, created_at, waiting_since, last_sender, product_id, month)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)`,
  ).bind(
    chat.id,
    chat.userName,
    chat.userEmail,
    chat.userId,
    Number(chat.isAnonymous),
    last?.message ?? "",
    last?.at ?? 0,
    unread,
    Math.floor((first?.at ?? 0) / 1000),
    messages[messages.findLastIndex(({ isFromAdmin }) => isFromAdmin) + 1]?.at ?? null,
    last?.isFromAdmin ? "staff" : "visitor",
    chat.lines[0]?.productId ?? null,
    localDay(Math.floor((first?.at ?? 0) / 1000), shopVars(env).timezone).slice(0, 7),
  );
  const content = env.DB.prepare("INSERT INTO chat_imports (chat_id, content) VALUES (?, ?)");
  return [row, content.bind(chat.id, JSON.stringify(imported))];
}

/** Stores the first answers of the demo's chats, by which the usual reply time is measured. */
function answerRows(env: Env, chats: ReturnType<typeof asImport>[]): D1PreparedStatement[] {
  const insert = env.DB.prepare(
    "INSERT INTO chat_first_answers (chat_id, asked_at, answered_at) VALUES (?, ?, ?)",
  );
  return chats.flatMap(({ chat, messages }) => {
    const asked = messages.findIndex(({ isFromAdmin }) => !isFromAdmin);
    const answer = messages.slice(asked).find(({ isFromAdmin }) => isFromAdmin);
    const question = messages[asked];
    return question && answer ? insert.bind(chat.id, question.at, answer.at) : [];
  });
}

function responseRows(env: Env, now: number): D1PreparedStatement[] {
  const insert = env.DB.prepare(
    `INSERT INTO predefined_responses (id, trigger, response, category, is_active, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, 1, ?5, ?5)`,
  );
  return automatic.responses.map(({ trigger, response, category }, i) =>
    insert.bind(`response-${i + 1}`, trigger, response, category, now - 1000 + i),
  );
}
