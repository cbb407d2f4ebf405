import { readCart } from "~/features/cart/operations.server";
import { findCardsById } from "~/features/catalogue/queries.server";
import { AppError } from "~/http/errors";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { randomToken } from "~/session/tokens.server";
import { MAX_MESSAGE } from "../limits";
import type { KeptLine } from "../rooms";
import { CreateInput, Nothing, ProductChatInput } from "../schema";
import { visitorName } from "../visitor-name.server";
import { noteVisit, rememberChat } from "./browser-chats.server";
import { answersOf } from "./rooms.server";

const limits = ({ env, address }: RequestContext) => [
  { limiter: env.LIMIT_CHAT_CREATE_ADDRESS, key: address },
];

interface Beginning {
  userName: string;
  userEmail: string;
  initialMessage: string | undefined;
  isAnonymous: boolean;
  lines: KeptLine[];
}

/**
 * Begins a chat and lets this browser into it (contract: chat/create). With `keepCart` what is in the cart is kept
 * with it.
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
    const lines = input.keepCart ? (await readCart(context)).lines.map(keptLine) : [];
    const isAnonymous = userEmail === "" || (input.isAnonymous ?? false);
    return begin(context, { userName: input.userName, userEmail, initialMessage, isAnonymous, lines });
  },
});

/**
 * Buy Now: a chat about a product (spec 7, chat/create).
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
 * Chat with Seller: a chat about the cart, which stays as it is (spec 7, chat/create).
 *
 * @returns the chat's id
 * @throws AppError invalid, 'Your cart is empty'
 */
export const startCartChat = operation({ access: "anyone", input: Nothing, limits, run: createCartChat });

/** What startProductChat does. */
export async function createProductChat(context: RequestContext, productId: string, wanted: number) {
  const [product] = await findCardsById(context.db, [productId]);
  if (!product) throw new AppError("notFound", "Product not found");
  if (product.stock === 0) throw new AppError("conflict", "This product is out of stock");
  const { id, name, priceCents, stock } = product;
  const quantity = Math.min(Math.max(1, wanted), stock);
  const initialMessage = shortened(`I'm interested in buying the ${name}.`);
  const lines = [keptLine({ id, name, priceCents, quantity })];
  return begin(context, { userName: "", userEmail: "", initialMessage, isAnonymous: true, lines });
}

/** What startCartChat does. */
export async function createCartChat(context: RequestContext) {
  const cart = await readCart(context);
  if (cart.itemCount === 0) throw new AppError("invalid", "Your cart is empty");
  const lines = cart.lines.filter(({ quantity }) => quantity > 0).map(keptLine);
  const initialMessage = aboutCart(lines, cart.totalCents);
  return begin(context, { userName: "", userEmail: "", initialMessage, isAnonymous: true, lines });
}

/** The room is told everything at once, so that a chat begins whole or not at all. */
async function begin(context: RequestContext, beginning: Beginning): Promise<{ chatId: string }> {
  const { env, caller } = context;
  const chatId = randomToken();
  const { initialMessage, lines, ...person } = beginning;
  const [user, answers] = await Promise.all([caller.user(), answersOf(env)]);
  const chat = {
    ...person,
    id: chatId,
    userName: visitorName(env, person.userName),
    userId: user?.id ?? null,
    lines,
  };
  await env.CHAT_ROOM.getByName(chatId).open(chat, initialMessage ?? null, answers);
  await rememberChat(context, chatId);
  await noteVisit(context, chatId);
  return { chatId };
}

function keptLine(line: { id: string; name: string; quantity: number; priceCents: number }): KeptLine {
  return { productId: line.id, name: line.name, quantity: line.quantity, priceCents: line.priceCents };
}

/** Lists items with quantity and price, and the total; what doesn't fit into a message is in the kept lines. */
function aboutCart(lines: KeptLine[], totalCents: number): string {
  const items = lines.map((line) => `- ${line.name} × ${line.quantity}, ${dollars(line.priceCents)} each`);
  const total = `Total: ${dollars(totalCents)}`;
  const intro = "I'm interested in buying these items:";
  while (length([intro, ...items, "- …", total]) > MAX_MESSAGE && items.length > 0) items.pop();
  const rest = items.length < lines.length ? ["- …"] : [];
  return [intro, ...items, ...rest, total].join("\n");
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
const length = (parts: string[]) => [...parts.join("\n")].length;
const shortened = (text: string) => [...text].slice(0, MAX_MESSAGE).join("");
