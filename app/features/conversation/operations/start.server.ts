import { z } from "zod";
import { toCartLine } from "~/features/cart/chat.server";
import { readCart } from "~/features/cart/operations.server";
import { choiceLines } from "~/features/catalogue/options";
import { checkOptions, requireUnit, shownOptions } from "~/features/catalogue/product-views.server";
import { findSellableProducts } from "~/features/catalogue/queries.server";
import { truncate } from "~/features/chat/first-messages";
import { productNotFound } from "~/features/chat/operations/access.server";
import { askAbout, productOf, requestedLine, withProductLine } from "~/features/chat/operations/cards.server";
import {
  continueOrOpen,
  expectStart,
  openNew,
  type StartedChat,
  startLimits,
  withAccount,
} from "~/features/chat/operations/create.server";
import { checkFiles, MAX_UPLOAD_BYTES } from "~/features/chat/operations/files.server";
import { readOptions, selectedOnly } from "~/features/chat/product-selection";
import { AskInput, CreateInput, ProductChatInput, StartFormInput } from "~/features/chat/schema";
import { Id } from "~/http/answers";
import { type OperationContext, operation } from "~/http/operation.server";
import { sha256 } from "~/session/tokens.server";

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
    ...startLimits(context),
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
  await checkFiles(fields.files);
  expectStart(context);
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
  answer: z.object({ chatId: Id }),
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
  limits: startLimits,
  async run({ input: { id, quantity: requested, key, ...options }, ...context }) {
    expectStart(context);
    const [product] = await findSellableProducts(context.db, [id]);
    if (!product) throw productNotFound();
    const selected = checkOptions(product, options);
    const { stock, priceCents, unitId } = requireUnit(product, selected.color);
    const quantity = Math.min(requested, stock);
    const chosen = shownOptions(product, selected);
    const text = [`I'm interested in buying the ${product.name}.`, ...choiceLines(quantity, chosen)].join(
      "\n",
    );
    const lines = [requestedLine({ ...product, priceCents, unitId: unitId ?? undefined, quantity, chosen })];
    const { card } = askAbout(product, { quantity, ...selectedOnly(chosen) });
    return continueOrOpen(context, { initialMessage: truncate(text), cards: [card], lines, key });
  },
});
