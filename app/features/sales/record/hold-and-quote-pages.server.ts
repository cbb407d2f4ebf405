import { addDays, localDay, localTimeAt } from "~/domain/days";
import { decimalDollars } from "~/domain/money";
import { nameWithOptions } from "~/features/catalogue/options";
import { consoleUrl } from "~/features/chat/console-params";
import { filesAmong, fileUrl, isPicture, THUMBNAIL_WIDTHS } from "~/features/chat/files";
import { NO_MESSAGES, readChatFor, readStoredCart } from "~/features/chat/operations/messages.server";
import type { ChatView } from "~/features/chat/protocol";
import { visitorLabel } from "~/features/chat/visitor-label";
import { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, parseInput, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import type { HoldCardData } from "../cards/card-data";
import { holdCard } from "../cards/read-cards.server";
import { MAX_LINES } from "../document";
import { defaultHoldEnd, formatUntil } from "../hold-end";
import { apiHold, extendHold, holdProblems, storeHold } from "../holds.server";
import { findHold } from "../holds-and-quotes.queries.server";
import { storeQuote } from "../quotes.server";
import { HoldInput, QuoteInput } from "../schema";
import { formHeading } from "../urls";
import { customLine, type DraftLine, productLine, type SaleProduct } from "./draft";
import {
  checkLines,
  confirmLines,
  EDIT_LINES,
  HoldFormInput,
  LIMITS,
  LineFormFields,
  lineFailure,
  localInstant,
  parseLines,
  QuoteFormInput,
} from "./forms.server";
import { type Proposal, proposalOf, readChatSales, readSaleProducts, withNamed } from "./proposal.server";

/** Data of the form of a hold. */
export type HoldPageData = ResultOf<typeof readHoldPage>;

/** Reads the form that sets products aside, filled from the cart (`chat`) and with `products`, or that of a hold (`hold`). */
export const readHoldPage = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const holdId = searchParams.get("hold");
    const hold = holdId ? await findHold(context.db, holdId) : undefined;
    if (holdId && !hold) throw new AppError("notFound", "Hold not found");
    const chatId = hold?.chatId ?? searchParams.get("chat");
    const { name, cart } = await readChatCart(context, chatId, hold !== undefined);
    const added = (searchParams.get("products") ?? "").split(",").slice(0, MAX_LINES);
    const products = await readSaleProducts(
      context,
      [...cart.map(({ productId }) => productId), ...added],
      undefined,
    );
    const { now, settings } = context;
    const until = defaultHoldEnd(Math.max(now, hold?.until ?? 0), settings);
    return {
      heading: formHeading(hold ? "Extend the hold" : "Set aside", chatId),
      // Idempotency key of the form: repeating its POST places the hold once.
      id: crypto.randomUUID() as string,
      chat: chatId ? { id: chatId, name } : null,
      hold: hold ? holdCard(context, hold) : (null as HoldCardData | null),
      until: localTimeAt(until, settings.timezone).slice(0, "YYYY-MM-DDTHH:MM".length),
      earliest: localTimeAt(now, settings.timezone).slice(0, "YYYY-MM-DDTHH:MM".length),
      lines: hold ? [] : withNamed(availableLines(cart, products), added, availableOf(products)),
      products: [...products.values()],
    };
  },
});

const availableOf = (products: Map<string, SaleProduct>) =>
  new Map([...products].filter(([, { available }]) => available > 0));

/** Fills the lines of a hold with what is free; the lines of a product share it. */
function availableLines(cart: Proposal["cart"], products: Map<string, SaleProduct>) {
  const left = new Map([...products].map(([id, { available }]) => [id, available]));
  return cart.flatMap((line) => {
    const product = products.get(line.productId);
    const quantity = Math.min(line.quantity, left.get(line.productId) ?? 0);
    left.set(line.productId, (left.get(line.productId) ?? 0) - quantity);
    return product && quantity > 0 ? [productLine(product, quantity, line)] : [];
  });
}

async function readChatCart(context: StaffContext, chatId: string | null, isHold: boolean) {
  if (!chatId) return { name: "", cart: [] };
  const { chat } = await readChatFor(context, chatId, NO_MESSAGES);
  const name = nameOf(chat, context);
  return { name, cart: isHold ? [] : await readUnsold(context, chat) };
}

const nameOf = ({ id: chatId, userName: name, createdAt }: ChatView, { settings }: StaffContext) =>
  visitorLabel({ chatId, name, began: createdAt.seconds }, settings.timezone);

/** Reads what a chat asks for, without what is set aside or sold. */
async function readUnsold(context: StaffContext, chat: ChatView): Promise<Proposal["cart"]> {
  const [lines, sales] = await Promise.all([
    readStoredCart(context, chat.id),
    readChatSales(context, chat.id),
  ]);
  const { cart, hold } = proposalOf(sales, lines, context.now);
  const held = new Set(hold?.lines.map(({ productId }) => productId));
  return cart.filter(({ productId }) => !held.has(productId));
}

/** Fills the lines of a quote with what the chat asks for; one empty line without anything. */
function quoteLines(cart: Proposal["cart"]): DraftLine[] {
  if (cart.length === 0) return [customLine("", "LASER")];
  return cart.slice(0, MAX_LINES).map(({ productId, name, quantity, priceCents, ...chosen }) => ({
    ...customLine(nameWithOptions(name, chosen), "LASER"),
    productId,
    quantity: String(quantity),
    price: decimalDollars(priceCents),
  }));
}

/** Places a hold from the page's form, whose time is local to the shop. @throws AppError as placeHold */
const placeHoldByForm = operation({
  access: "staff",
  input: HoldFormInput,
  form: LineFormFields,
  ...LIMITS,
  async run({ input, ...context }) {
    const { holdId: _, until, ...hold } = input;
    const at = localInstant(until, context.settings.timezone);
    const request = await parseLines(HoldInput, { ...hold, until: at }, (typed) =>
      holdProblems(context, typed),
    );
    return apiHold(await storeHold(context, request), context.now);
  },
});

/** Checks a hold from the page's form, which waits for a confirmation. @throws AppError invalid with every problem */
const checkHoldByForm = operation({
  access: "staff",
  input: HoldFormInput,
  form: LineFormFields,
  ...LIMITS,
  run({ input: { holdId: _, until, ...hold }, ...context }) {
    const at = localInstant(until, context.settings.timezone);
    return checkLines(HoldInput, { ...hold, until: at }, (typed) => holdProblems(context, typed));
  },
});

/** Moves the end of a hold from the page's form. @throws AppError as extendHold */
const extendHoldByForm = operation({
  access: "staff",
  input: HoldFormInput,
  form: LineFormFields,
  async run({ input: { holdId, until }, ...context }) {
    const at = localInstant(until, context.settings.timezone);
    return extendHold.execute(context, { id: holdId, until: at });
  },
});

type Placed = Pick<ResultOf<typeof extendHold>, "chatId" | "until">;

/** Intents of the form of a hold. */
export function holdForms({ now, settings }: Pick<RequestContext, "now" | "settings">): FormIntents {
  const done = ({ chatId, until }: Placed) => ({
    to: consoleUrl({ chat: chatId }),
    toast: `Set aside until ${formatUntil(until.seconds, now, settings)}`,
  });
  return {
    ...EDIT_LINES,
    hold: intent(placeHoldByForm, {
      done,
      failed: lineFailure("held"),
      confirmation: confirmLines,
      check: checkHoldByForm,
    }),
    extend: intent(extendHoldByForm, { done }),
  };
}

/** Data of the form of a quote. */
export type QuotePageData = ResultOf<typeof readQuotePage>;

const VALID_DAYS = 14;
/** Files of the chat that a quote can name, the latest ones. */
const MAX_FILES = 20;

/** Reads the form of a quote in a chat (`chat`), with the chat's files. @throws AppError notFound for the chat */
export const readQuotePage = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const chatId = new URL(input.url).searchParams.get("chat");
    if (!chatId) throw new AppError("notFound", "Chat not found");
    const { chat, messages } = await readChatFor(context, chatId);
    const cart = await readUnsold(context, chat);
    const today = localDay(context.now, context.settings.timezone);
    return {
      heading: formHeading("Quote", chatId),
      // Idempotency key of the form: repeating its POST sends the quote once.
      id: crypto.randomUUID() as string,
      chat: {
        id: chat.id,
        name: nameOf(chat, context),
      },
      today,
      validUntil: addDays(today, VALID_DAYS),
      files: messages
        .flatMap(({ cards = [] }) => filesAmong(cards))
        .slice(-MAX_FILES)
        .map((file) => ({
          key: file.key,
          name: file.name,
          thumbnail: isPicture(file) ? fileUrl(file.key, THUMBNAIL_WIDTHS[0]) : null,
        })),
      lines: quoteLines(cart),
      products: [] as SaleProduct[],
    };
  },
});

/** Sends a quote from the page's form, whose prices are for one piece. @throws AppError as sendQuote */
const sendQuoteByForm = operation({
  access: "staff",
  input: QuoteFormInput,
  form: LineFormFields,
  ...LIMITS,
  run({ input: { validUntil, ...quote }, ...context }) {
    const at = localInstant(validUntil, context.settings.timezone);
    return storeQuote(context, parseInput(QuoteInput, { ...quote, validUntil: at }));
  },
});

/** Intents of the form of a quote. */
export const QUOTE_FORMS: FormIntents = {
  ...EDIT_LINES,
  quote: intent(sendQuoteByForm, {
    done: ({ chatId, title }) => ({ to: consoleUrl({ chat: chatId }), toast: `Quote sent: ${title}` }),
    failed: lineFailure("quoted"),
  }),
};
