import { z } from "zod";
import { dollars } from "~/domain/money";
import { readCart } from "~/features/cart/operations.server";
import { choiceLines } from "~/features/catalogue/options";
import { checkOptions, chosenOf } from "~/features/catalogue/product-views.server";
import { findSellableProducts } from "~/features/catalogue/queries.server";
import { favouriteCards } from "~/features/favourites/store.server";
import { AppError } from "~/http/errors";
import { type OperationContext, operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { randomToken, sha256 } from "~/session/tokens.server";
import { askedCard, NOTHING_CHOSEN, readOptions } from "../asked-options";
import { cartMessage, listMessage, truncate } from "../first-messages";
import { CONTINUED_SECONDS } from "../limits";
import { findVisitorId } from "../list.queries.server";
import type { ProductCard } from "../protocol";
import type { ChatCartLine, InitialMessage, NewChat } from "../rooms";
import { AskInput, CreateInput, KeyInput, ProductChatInput, StartFormInput } from "../schema";
import { rememberedName, visitorName } from "../visitor-name.server";
import {
  followSignIn,
  isContinued,
  latestBrowserChat,
  rememberChat,
  rememberVisit,
  visitorChats,
} from "./access.server";
import { askAbout, productNotFound, productOf, requestedLine, withProductLine } from "./cards.server";
import { checkFiles, MAX_UPLOAD_BYTES, storeFirst } from "./files.server";
import { loadAutoReplies } from "./rooms.server";

/** Rooms asked to continue, since a row in D1 can be behind its room, and rooms that a key opens. */
const ATTEMPTS = [1, 2, 3];
const MAX_ATTEMPTS = ATTEMPTS.length;

const limits = ({ env, address }: RequestContext) => [
  { limiter: env.LIMIT_CHAT_CREATE_ADDRESS, key: address },
];

interface StartedChat {
  chatId: string;
  isNew: boolean;
}

interface ChatStart {
  userName?: string;
  userEmail?: string;
  initialMessage?: string | undefined;
  isAnonymous?: boolean | undefined;
  /** Products beside the initial message; the first is what the chat is about. */
  cards?: ProductCard[];
  /** The product never was: only a start that is already stored is answered. */
  isCardUnknown?: boolean | undefined;
  /** Files of the initial message. */
  files?: File[];
  /** Key of the form, whose submissions start one chat. */
  key?: string | undefined;
  /** Hash of the whole request, for its key. */
  digest?: string | undefined;
  /** Refuses other content with a used key; a form that is filled anew starts another chat. */
  isKeyStrict?: boolean | undefined;
  lines: ChatCartLine[];
}

/**
 * Definition of starting a chat, or with `continue` continuing the visitor's, and adding it to the browser's cookie.
 * `keepCart` stores the cart with it. The product of `productId` is the card of the initial message; without a message it is
 * in question.
 */
const START = {
  access: "anyone" as const,
  status: 201,
  accepts: "either" as const,
  maxUploadBytes: async () => MAX_UPLOAD_BYTES,
  limits: ({ input, ...context }: StartContext) => [
    ...limits(context),
    ...(input.files.length > 0
      ? [{ limiter: context.env.LIMIT_CHAT_FILES_ADDRESS, key: context.address }]
      : []),
  ],
};

async function start(
  { input, ...context }: StartContext,
  flags: { isGreeted?: boolean; isKeyStrict?: boolean },
): Promise<StartedChat> {
  const { keepCart, continue: continues, about, ...fields } = input;
  await checkFiles(context, fields.files);
  const { cards, lines, line, isUnknown } = await productOf(context, askedProduct(input));
  const initialMessage =
    fields.initialMessage && withProductLine("initialMessage", fields.initialMessage, about && line);
  const cart = keepCart ? (await readCart(context)).lines.map(toCartLine) : [];
  const { isKeyStrict } = flags;
  const chat = {
    ...fields,
    ...{ initialMessage, cards, isCardUnknown: isUnknown, lines: [...cart, ...lines], isKeyStrict },
    digest: await digestOf(context.env, input),
  };
  return continues
    ? continueOrOpen(context, chat)
    : openNew(context, { ...(await withAccount(context, chat)), ...flags });
}

type StartInput = z.infer<typeof CreateInput>;
type StartContext = OperationContext<"anyone", StartInput>;

/** Returns the product of a start as a card. Where no message says so, one piece of it is asked about. */
function askedProduct({ productId, quantity, color, engraving, initialMessage, files }: StartInput) {
  const isSilent = initialMessage === undefined && files.length === 0;
  const asked = { quantity: quantity ?? (isSilent ? 1 : undefined), color, engraving };
  return productId === undefined ? undefined : { type: "product" as const, productId, ...asked };
}

/** Hashes a start with a key, without the files, which are compared as cards. @returns nothing without a key */
const digestOf = async ({ COOKIE_SECRET }: Env, { key, files: _, ...request }: StartInput) =>
  key === undefined ? undefined : sha256(`start:${COOKIE_SECRET}:${JSON.stringify(request)}`);

/**
 * Starts a chat by its form, or continues the visitor's.
 *
 * @returns the chat's id; `isNew` is false for one that is continued
 * @throws AppError invalid (400) also for an empty form and options that the product does not offer, notFound (404) for a
 *   product that never was, tooLarge (413), rateLimited (429)
 */
export const startChatByForm = operation({
  ...START,
  input: StartFormInput,
  run: (context) => start(context, { isGreeted: true }),
});

/**
 * Starts or continues a chat for the API, whose answer is the id alone. Repeating a start with its key returns the same
 * chat.
 *
 * @throws AppError also conflict (409) when another start was sent with its key
 */
export const createChat = operation({
  route: "POST chat/create",
  summary: "Begin or continue a chat",
  answer: z.object({ chatId: z.string() }),
  errors: [404, 409],
  ...START,
  input: CreateInput,
  run: async (context) => ({ chatId: (await start(context, { isKeyStrict: true })).chatId }),
});

/** Reads the options with which a product is asked about, for the chat's page; nothing is sent. */
export const ask = operation({
  access: "anyone",
  input: AskInput,
  run: async ({ input: { id, ...fields } }) => ({ id, ...readOptions((name) => fields[name]) }),
});

/**
 * Asks for a product (Buy Now) in the visitor's conversation, with the options chosen of it.
 *
 * @returns the chat's id
 * @throws AppError notFound; invalid for options that it does not offer; conflict at stock 0
 */
export const startProductChat = operation({
  access: "anyone",
  input: ProductChatInput,
  limits,
  async run({ input: { id, quantity: requested, key, ...options }, ...context }) {
    const [product] = await findSellableProducts(context.db, [id]);
    if (!product) throw productNotFound();
    if (product.stock === 0) throw new AppError("conflict", "This product is out of stock");
    const quantity = Math.min(requested, product.stock);
    const chosen = chosenOf(product, checkOptions(product, options));
    const text = [`I'm interested in buying the ${product.name}.`, ...choiceLines(quantity, chosen)].join(
      "\n",
    );
    const lines = [requestedLine({ ...product, quantity, chosen })];
    const { card } = askAbout(product, {
      quantity,
      color: chosen.color ?? undefined,
      engraving: chosen.engraving ?? undefined,
    });
    return continueOrOpen(context, { initialMessage: truncate(text), cards: [card], lines, key });
  },
});

/**
 * Asks for the cart (Chat with Seller) in the visitor's conversation.
 *
 * @returns the chat's id
 * @throws AppError invalid, 'Your cart is empty'
 */
export const startCartChat = operation({
  access: "anyone",
  input: KeyInput,
  limits,
  async run({ input: { key }, ...context }) {
    const cart = await readCart(context);
    if (cart.itemCount === 0) throw new AppError("invalid", "Your cart is empty");
    const lines = cart.lines.filter(({ quantity }) => quantity > 0).map(toCartLine);
    return continueOrOpen(context, { initialMessage: cartMessage(lines, cart.totalCents), lines, key });
  },
});

/** Cards of a message about favourites; its text names more. */
const MAX_FAVOURITE_CARDS = 8;

/**
 * Asks about the caller's favourites in the visitor's conversation, with their cards.
 *
 * @returns the chat's id
 * @throws AppError invalid without favourites
 */
export const startFavouritesChat = operation({
  access: "anyone",
  input: KeyInput,
  limits,
  async run({ input: { key }, ...context }) {
    const products = await favouriteCards(context);
    if (products.length === 0) throw new AppError("invalid", "There are no favourites to ask about");
    const items = products.map(({ name, priceCents }) => `- ${name}, ${dollars(priceCents)}`);
    const initialMessage = listMessage("I have a question about these:", items);
    const cards = products
      .slice(0, MAX_FAVOURITE_CARDS)
      .map(({ id: productId }) => askedCard(productId, NOTHING_CHOSEN));
    const lines = products
      .slice(0, MAX_FAVOURITE_CARDS)
      .map((product) => ({ ...requestedLine({ ...product, quantity: 1, chosen: {} }), isQuestion: true }));
    return continueOrOpen(context, { initialMessage, cards, lines, key });
  },
});

/** Completes a chat with the name and e-mail address of a signed-in customer. */
async function withAccount({ env, caller }: RequestContext, start: ChatStart) {
  const user = await caller.user();
  const accountName = user ? `${user.firstName} ${user.lastName}` : "";
  const userEmail = start.userEmail || (user?.email ?? "");
  return {
    userName: visitorName(env, start.userName ?? "", accountName),
    userEmail,
    userId: user?.id ?? null,
    isAnonymous: userEmail === "" || (start.isAnonymous ?? false),
    initialMessage: firstMessage(start),
    productId: start.cards?.[0]?.productId,
    isCardUnknown: start.isCardUnknown,
    files: start.files ?? [],
    key: start.key,
    digest: start.digest,
    isKeyStrict: start.isKeyStrict,
    lines: start.lines,
  };
}

/** Composes the visitor's message; null for a chat that begins without one. */
function firstMessage({ initialMessage, cards = [], files = [] }: ChatStart): InitialMessage | null {
  if (initialMessage === undefined && files.length === 0) return null;
  return { message: initialMessage ?? "", cards };
}

type CompleteStart = Awaited<ReturnType<typeof withAccount>> & Pick<NewChat, "isGreeted" | "isShared">;

/** Continues the visitor's latest open chat; if all are closed, old or deleted, requests at one time open a new one. */
async function continueOrOpen(context: RequestContext, start: ChatStart): Promise<StartedChat> {
  const [chat, chats] = await Promise.all([withAccount(context, start), visitorChats(context)]);
  const { key, isKeyStrict, files, userId: _, ...continued } = chat;
  const open = chats.filter((row) => isContinued(row, context.now)).map(({ id }) => id);
  const keyed =
    isKeyStrict && key
      ? await findKeyedStart(context.env, key, open)
      : { candidates: open, messageId: undefined };
  const since = (context.now - CONTINUED_SECONDS) * 1000;
  for (const id of keyed.candidates.slice(0, MAX_ATTEMPTS)) {
    const isContinued = await storeFirst(
      context,
      id,
      continued.initialMessage,
      files,
      async (initialMessage) =>
        context.env.CHAT_ROOM.getByName(id).continue({
          ...continued,
          initialMessage,
          since,
          messageId: keyed.messageId,
        }),
    );
    if (isContinued === "otherStart") throw otherStart();
    if (!isContinued) continue;
    await remember(context, id);
    return { chatId: id, isNew: false };
  }
  const earlier = chats.map(({ userName }) => userName);
  const userName = rememberedName(context.env, chat.userName, earlier);
  const roomKey = key ?? (chats[0] && `after:${chats[0].id}:${Math.floor(context.now / 60)}`);
  return openNew(context, {
    ...chat,
    userName,
    key: roomKey,
    isShared: key === undefined,
    isGreeted: true,
  });
}

const otherStart = () => new AppError("conflict", "Another conversation was started with this key.");

/**
 * Finds the chats in which a start with a key may have been stored: none where the key opened a chat, whose room compares
 * it, else those of the visitor, the one with the message first.
 *
 * @param open the visitor's open chats
 * @returns also the id of the start's message in a chat that it continues
 */
async function findKeyedStart(env: Env, key: string, open: string[]) {
  const messageId = `start-${await chatIdOf(env, `${key}:message`)}`;
  const opened = await Promise.all(ATTEMPTS.map((attempt) => chatIdOf(env, `${key}:${attempt}`)));
  if (open.some((id) => opened.includes(id))) return { messageId, candidates: [] };
  const asked = open.slice(0, MAX_ATTEMPTS);
  const isKnown = await Promise.all(asked.map((id) => env.CHAT_ROOM.getByName(id).hasStart(messageId)));
  const known = asked.filter((_, at) => isKnown[at]);
  return { messageId, candidates: [...known, ...asked.filter((id) => !known.includes(id))] };
}

/** Opens the room in one call, so that a chat is created completely or not at all. */
async function openNew(context: RequestContext, start: CompleteStart, attempt = 1): Promise<StartedChat> {
  const { env } = context;
  const { initialMessage, files, key, isKeyStrict, ...chat } = start;
  const chatId = key && attempt <= MAX_ATTEMPTS ? await chatIdOf(env, `${key}:${attempt}`) : randomToken();
  const previous = await latestBrowserChat(context);
  const [autoReplies, visitorId] = await Promise.all([
    loadAutoReplies(env),
    previous ? findVisitorId(context.db, previous) : chatId,
  ]);
  const opened = { ...chat, id: chatId, visitorId };
  const isOpen = await storeFirst(context, chatId, initialMessage, files, async (first) =>
    env.CHAT_ROOM.getByName(chatId).open(opened, first, autoReplies),
  );
  if (isOpen === "otherStart" && isKeyStrict) throw otherStart();
  // The form of this page has started a chat before, which is closed or about something else.
  if (isOpen !== true) return openNew(context, start, attempt + 1);
  if (previous && chat.userId === null) await followSignIn(context, chatId, previous);
  await remember(context, chatId);
  return { chatId, isNew: true };
}

/** Derives the id of the chat that requests with a key open; only the visitor knows the key. */
const chatIdOf = async ({ COOKIE_SECRET }: Env, key: string) =>
  (await sha256(`chat:${COOKIE_SECRET}:${key}`)).slice(0, 32);

async function remember(context: RequestContext, chatId: string): Promise<void> {
  await rememberChat(context, chatId);
  await rememberVisit(context, chatId);
}

const toCartLine = (line: Parameters<typeof requestedLine>[0]): ChatCartLine => ({
  ...requestedLine(line),
  inCart: true,
});
