import { addDays, localDay, localTimeAt } from "~/domain/days";
import { defaultHoldEnd, formatUntil } from "~/domain/hold-end";
import { decimalDollars } from "~/domain/money";
import { nameWithOptions } from "~/features/catalogue/options";
import { consoleUrl } from "~/features/chat/console-params";
import { filesAmong, fileUrl } from "~/features/chat/files";
import { NO_MESSAGES, readChatFor, readStoredCart } from "~/features/chat/operations/messages.server";
import type { ChatView } from "~/features/chat/protocol";
import { visitorLabel } from "~/features/chat/visitor-label";
import { isPicture, THUMBNAIL_WIDTHS } from "~/features/storage/files";
import { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, parseInput, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import type { HoldCardData } from "../cards/card-data";
import { holdCard } from "../cards/read-cards.server";
import { MAX_LINES } from "../document";
import { apiHold, extendHold, holdProblems, storeHold } from "../operations/holds.server";
import { storeQuote } from "../operations/quotes.server";
import { findHold } from "../queries/holds-and-quotes.server";
import { HoldInput, QuoteInput, unitIdOf } from "../schema";
import { formHeading } from "../urls";
import { customLine, type DraftLine, productLine, type SaleProduct } from "./draft";
import {
  checkLines,
  confirmLines,
  EDIT_LINES,
  HoldFormInput,
  LIMITS,
  LineFormFields,
  localInstant,
  parseLines,
  QuoteFormInput,
} from "./forms.server";
import { lineFailure } from "./line-failure";
import {
  askedLines,
  type ChatSales,
  type Proposal,
  proposalOf,
  readChatSales,
  readSaleProducts,
  withNamed,
} from "./proposal.server";

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
      [...cart.map(({ unitId }) => unitId), ...added],
      undefined,
    );
    const { now, settings } = context;
    const until = defaultHoldEnd(Math.max(now, hold?.until ?? 0), settings);
    return {
      form: "hold" as const,
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
    const product = products.get(line.unitId);
    const quantity = Math.min(line.quantity, left.get(line.unitId) ?? 0);
    left.set(line.unitId, (left.get(line.unitId) ?? 0) - quantity);
    return product && quantity > 0 ? [productLine(product, quantity, line)] : [];
  });
}

async function readChatCart(context: StaffContext, chatId: string | null, isHold: boolean) {
  if (!chatId) return { name: "", cart: [] };
  const { chat, sales } = await readChatWithSales(context, chatId, NO_MESSAGES);
  return {
    name: nameOf(chat, context),
    cart: isHold ? [] : unheldLines(await chatProposal(context, chatId, sales)),
  };
}

const nameOf = ({ id: chatId, userName: name, createdAt }: ChatView, { settings }: StaffContext) =>
  visitorLabel({ chatId, name, began: createdAt.seconds }, settings.timezone);

/** Reads a chat with its sales, at once. @throws AppError notFound */
async function readChatWithSales(context: StaffContext, chatId: string, after?: number) {
  const [room, sales] = await Promise.all([
    readChatFor(context, chatId, after),
    readChatSales(context, chatId),
  ]);
  return { ...room, sales };
}

const chatProposal = async (context: StaffContext, chatId: string, sales: ChatSales): Promise<Proposal> =>
  proposalOf(sales, await readStoredCart(context, chatId), context.now);

/** Lists the products that a chat has an accepted quote of or asks for, without those on hold. */
function unheldLines({ hold, quote, cart }: Proposal): Proposal["cart"] {
  const held = new Set(hold?.lines.map(({ unitId }) => unitId));
  const quoted = (quote?.lines ?? []).flatMap(({ description: name, quantity, ...line }) => {
    const unitId = unitIdOf(line);
    return unitId ? [{ unitId, name, quantity, priceCents: 0 }] : [];
  });
  return [...quoted, ...cart].filter(({ unitId }) => !held.has(unitId));
}

/** Fills the lines of a quote with what the chat asks for and has on hold; one empty line without anything. */
function quoteLines(asked: Proposal["cart"], products: Map<string, SaleProduct>): DraftLine[] {
  if (asked.length === 0) return [customLine("", "LASER")];
  return asked.map(({ unitId, name, quantity, priceCents, ...chosen }) => ({
    ...customLine(nameWithOptions(name, chosen), "LASER"),
    unitId,
    quantity: String(quantity),
    // The line of a hold has no price.
    price: decimalDollars(priceCents || (products.get(unitId)?.priceCents ?? 0)),
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
export function holdForms(context: Pick<RequestContext, "db" | "env" | "now">): FormIntents {
  const done = async ({ chatId, until }: Placed) => ({
    to: consoleUrl({ chat: chatId }),
    toast: `Set aside until ${formatUntil(until.seconds, context.now, await shopSettings(context))}`,
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

/** Files of the chat that a quote can name, the latest ones. */
const MAX_FILES = 20;

/** Reads the form of a quote in a chat (`chat`), with the chat's files. @throws AppError notFound for the chat */
export const readQuotePage = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const chatId = new URL(input.url).searchParams.get("chat");
    if (!chatId) throw new AppError("notFound", "Chat not found");
    const { chat, messages, sales } = await readChatWithSales(context, chatId);
    const proposal = await chatProposal(context, chatId, sales);
    const asked = askedLines(proposal).slice(0, MAX_LINES);
    const products = await readSaleProducts(
      context,
      asked.map(({ unitId }) => unitId),
      proposal.hold,
    );
    const today = localDay(context.now, context.settings.timezone);
    return {
      form: "quote" as const,
      heading: formHeading("Quote", chatId),
      // Idempotency key of the form: repeating its POST sends the quote once.
      id: crypto.randomUUID() as string,
      chat: {
        id: chat.id,
        name: nameOf(chat, context),
      },
      today,
      validUntil: addDays(today, context.settings.sales.quoteDays),
      files: messages
        .flatMap(({ cards = [] }) => filesAmong(cards))
        .slice(-MAX_FILES)
        .map((file) => ({
          key: file.key,
          name: file.name,
          thumbnail: isPicture(file) ? fileUrl(file.key, THUMBNAIL_WIDTHS[0]) : null,
        })),
      lines: quoteLines(asked, products),
      products: [...products.values()],
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
