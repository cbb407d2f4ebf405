import { readCart } from "~/features/cart/operations.server";
import { findCardsById } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { randomToken } from "~/session/tokens.server";
import { MAX_MESSAGE } from "../limits";
import type { ChatCartLine } from "../rooms";
import { CreateInput, EmptyInput, ProductChatInput } from "../schema";
import { visitorName } from "../visitor-name.server";
import { rememberChat, rememberVisit } from "./browser-chats.server";
import { loadAutoReplies } from "./rooms.server";

const limits = ({ env, address }: RequestContext) => [
  { limiter: env.LIMIT_CHAT_CREATE_ADDRESS, key: address },
];

interface ChatStart {
  userName: string;
  userEmail: string;
  initialMessage: string | undefined;
  isAnonymous: boolean;
  lines: ChatCartLine[];
}

/**
 * Starts a chat and adds it to the browser's cookie. `keepCart` stores the cart with it.
 *
 * @returns the chat's id
 * @throws AppError invalid (400), rateLimited (429)
 */
export const createChat = operation({
  access: "anyone",
  input: CreateInput,
  status: 201,
  limits,
  async run({ input, ...context }) {
    const { userEmail, initialMessage } = input;
    const lines = input.keepCart ? (await readCart(context)).lines.map(toCartLine) : [];
    const isAnonymous = userEmail === "" || (input.isAnonymous ?? false);
    return start(context, { userName: input.userName, userEmail, initialMessage, isAnonymous, lines });
  },
});

/**
 * Starts a chat about a product (Buy Now).
 *
 * @returns the chat's id
 * @throws AppError notFound; conflict at stock 0
 */
export const startProductChat = operation({
  access: "anyone",
  input: ProductChatInput,
  limits,
  run: ({ input, ...context }) => createProductChat(context, input.id, input.quantity),
});

/**
 * Starts a chat about the cart (Chat with Seller).
 *
 * @returns the chat's id
 * @throws AppError invalid, 'Your cart is empty'
 */
export const startCartChat = operation({ access: "anyone", input: EmptyInput, limits, run: createCartChat });

export async function createProductChat(context: RequestContext, productId: string, requested: number) {
  const [product] = await findCardsById(context.db, [productId]);
  if (!product) throw new AppError("notFound", "Product not found");
  if (product.stock === 0) throw new AppError("conflict", "This product is out of stock");
  const { id, name, priceCents, stock } = product;
  const quantity = Math.min(Math.max(1, requested), stock);
  const initialMessage = truncate(`I'm interested in buying the ${name}.`);
  const lines = [toCartLine({ id, name, priceCents, quantity })];
  return start(context, { userName: "", userEmail: "", initialMessage, isAnonymous: true, lines });
}

export async function createCartChat(context: RequestContext) {
  const cart = await readCart(context);
  if (cart.itemCount === 0) throw new AppError("invalid", "Your cart is empty");
  const lines = cart.lines.filter(({ quantity }) => quantity > 0).map(toCartLine);
  const initialMessage = cartMessage(lines, cart.totalCents);
  return start(context, { userName: "", userEmail: "", initialMessage, isAnonymous: true, lines });
}

/** Opens the room in one call, so that a chat is created completely or not at all. */
async function start(context: RequestContext, input: ChatStart): Promise<{ chatId: string }> {
  const { env, caller } = context;
  const chatId = randomToken();
  const { initialMessage, lines, ...person } = input;
  const [user, autoReplies] = await Promise.all([caller.user(), loadAutoReplies(env)]);
  const chat = {
    ...person,
    id: chatId,
    userName: visitorName(env, person.userName),
    userId: user?.id ?? null,
    lines,
  };
  await env.CHAT_ROOM.getByName(chatId).open(chat, initialMessage ?? null, autoReplies);
  await rememberChat(context, chatId);
  await rememberVisit(context, chatId);
  return { chatId };
}

function toCartLine(line: { id: string; name: string; quantity: number; priceCents: number }): ChatCartLine {
  return { productId: line.id, name: line.name, quantity: line.quantity, priceCents: line.priceCents };
}

/** Lists the items with quantity and price, and the total; items that exceed the length of a message are left out. */
function cartMessage(lines: ChatCartLine[], totalCents: number): string {
  const items = lines.map((line) => `- ${line.name} × ${line.quantity}, ${dollars(line.priceCents)} each`);
  const total = `Total: ${dollars(totalCents)}`;
  const intro = "I'm interested in buying these items:";
  while (length([intro, ...items, "- …", total]) > MAX_MESSAGE && items.length > 0) items.pop();
  const ellipsis = items.length < lines.length ? ["- …"] : [];
  return [intro, ...items, ...ellipsis, total].join("\n");
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const length = (parts: string[]) => [...parts.join("\n")].length;
const truncate = (text: string) => [...text].slice(0, MAX_MESSAGE).join("");
