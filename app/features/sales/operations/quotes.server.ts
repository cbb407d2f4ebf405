import { z } from "zod";
import { readListWindow } from "~/db/lists";
import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { dollars } from "~/domain/money";
import { chatOfFile } from "~/features/chat/files";
import { chatIdentity } from "~/features/chat/operations/access.server";
import { AppError, fieldError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { repeatedAnswer, requestKey } from "~/http/repeated-request.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { readList } from "~/http/streams.server";
import { type CurrentUser, fullName } from "~/session/caller.server";
import { Quote } from "../answers";
import { expectCard, postCard, postDecision } from "../cards.server";
import { quoteReads } from "../queries/hold-quote-list.server";
import {
  decideQuote,
  findQuote,
  insertQuote,
  QUOTE_COLUMNS,
  type StoredQuote,
  setQuoteReady,
  toQuote,
} from "../queries/holds-and-quotes.server";
import { readSaleState } from "../queries/sale.server";
import { QUOTE_REFUSALS, quoteState } from "../quote-state";
import {
  endOf,
  QuoteChange,
  type QuoteDecision,
  QuoteInput,
  QuoteListInput,
  QuoteReady,
  type QuoteRequest,
} from "../schema";
import { refuseTotalAbove } from "./documents.server";
import { type Withdrawn, withdrawAccepted } from "./withdraw.server";

function apiQuote(quote: StoredQuote, now: number) {
  const {
    requestHash: _,
    documentId: _document,
    customerId: _customer,
    totalCents,
    validUntil,
    createdAt,
    readyAt,
    depositCents: _deposit,
    lines,
    ...fields
  } = quote;
  return {
    ...fields,
    lines: lines.map(({ amountCents, ...line }) => ({ ...line, amount: amountCents / 100 })),
    validUntil: timestamp(validUntil),
    state: quoteState(quote, now),
    total: totalCents / 100,
    createdAt: timestamp(createdAt),
    readyAt: readyAt === null ? null : timestamp(readyAt),
  };
}

/** GET quote: quotes, those that end last first; open ones by what ends first. */
export const listQuotes = operation({
  route: "GET quote",
  summary: "List quotes",
  answer: z.array(Quote),
  isList: true,
  access: "staff",
  input: QuoteListInput,
  async run({ input: { limit, offset, ...filter }, db, now }) {
    const view = (row: Record<string, unknown>) => apiQuote(toQuote(row), now);
    const reads = await quoteReads(db, filter, { columns: QUOTE_COLUMNS, view });
    const dir = filter.state === "sent" ? "asc" : "desc";
    return readList((window) => readListWindow(reads, { ...window, dir }), { limit, offset });
  },
});

const VALID_SECONDS = 14 * DAY_SECONDS;

/**
 * Sends a quote into a chat. Repeating a request with its id returns the same quote.
 *
 * @throws AppError notFound for a chat; invalid for a file that isn't the chat's; conflict when the id belongs to another
 * quote
 */
export const sendQuote = operation({
  route: "POST quote",
  summary: "Send a quote",
  answer: Quote,
  errors: [404, 409],
  access: "staff",
  input: QuoteInput,
  status: 201,
  run: async ({ input, ...context }) => apiQuote(await storeQuote(context, input), context.now),
});

export async function storeQuote(context: StaffContext, input: QuoteRequest): Promise<StoredQuote> {
  const { db, now, settings, user } = context;
  const { id: sentId, ...fields } = input;
  const validUntil = fields.validUntil && endOf("validUntil", fields.validUntil, now, settings.timezone);
  const content = { ...fields, validUntil };
  const { requestId: id, requestHash } = await requestKey(sentId, content);
  expectCard(context, input.chatId);
  const { chat } = await readSaleState(db, { requestId: "", unitIds: [], chatId: input.chatId });
  if (!chat) throw new AppError("notFound", "Chat not found");
  await checkFiles(context.env, input);
  const lines = input.lines.map(({ amount, ...line }) => ({ ...line, amountCents: amount }));
  const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
  refuseTotalAbove(totalCents);
  const stored = await insertQuote(db, {
    ...content,
    id,
    lines,
    validUntil: validUntil ?? now + VALID_SECONDS,
    totalCents,
    requestHash,
    createdAt: now,
    createdBy: fullName(user),
  });
  const known = stored ?? (await findQuote(db, id));
  if (!known) throw new AppError("notFound", "Chat not found");
  const quote = repeatedAnswer(known, { requestHash }, "Another quote was sent with this id.");
  const card = { type: "quote", quoteId: quote.id } as const;
  await postCard(context, quote.chatId, quote.id, card, quote.title, quote.totalCents);
  return quote;
}

async function checkFiles({ BUCKET }: Env, { chatId, files }: QuoteRequest): Promise<void> {
  const isOwn = async (key: string) => chatOfFile(key) === chatId && (await BUCKET.head(key)) !== null;
  if (!(await Promise.all(files.map(isOwn))).every(Boolean))
    throw fieldError("invalid", "files", "Must be files of this chat");
}

const DECISIONS = {
  accepted: "I accept the quote",
  declined: "I decline the quote",
  withdrawn: "We withdraw the quote",
};

/**
 * Decides a quote: staff withdraw it, also an accepted one without a sale, its visitor accepts or declines it. Deciding the
 * same twice is once.
 *
 * @throws AppError notFound, also for another visitor's quote; forbidden for the other side's decision; conflict when it
 * was decided otherwise or has expired, and as `withdrawAccepted`
 */
export const changeQuote = operation({
  route: "PATCH quote/:id",
  summary: "Accept, decline or withdraw a quote",
  answer: Quote,
  errors: [401, 403, 409],
  access: "anyone",
  input: QuoteChange,
  ahead({ input, db }) {
    expectCard({ db }, input.id);
    return findQuote(db, input.id);
  },
  async run({ input, ahead, ...context }) {
    const { id, state } = input;
    const { quote, role } = await requireQuote(context, await ahead);
    if ((role === "staff") !== (state === "withdrawn"))
      throw new AppError("forbidden", "You don't have permission to do this.");
    const author = role === "staff" ? context.user : null;
    const decided = await decide({ ...context, user: author }, input, quote);
    // Also for a repeated request, in case the first one ended before; the chat has the message once.
    await postDecision({ ...context, user: author }, quote.chatId, {
      id: `quote-${id}-${state}`,
      message: decisionText(decided, input),
      isNotice: !input.message,
    });
    return apiQuote(decided.quote, context.now);
  },
});

const decisionText = ({ quote, deposit }: Withdrawn, { state, message }: QuoteDecision): string =>
  [`${DECISIONS[state]}: ${quote.title}, ${dollars(quote.totalCents)}`, deposit, message]
    .filter(Boolean)
    .join("\n");

/**
 * Says that the work of an accepted quote is done and waits for being fetched, or that it is not. Saying the same twice is
 * once.
 *
 * @throws AppError notFound; conflict for a quote that is not accepted or was sold
 */
export const readyQuote = operation({
  route: "PUT quote/:id/ready",
  summary: "Say whether the work of an accepted quote is ready",
  answer: Quote,
  errors: [404, 409],
  access: "staff",
  input: QuoteReady,
  async run({ input: { id, isReady }, db, now }) {
    const changed = await setQuoteReady(db, id, isReady);
    if (changed) return apiQuote(changed, now);
    if (!(await findQuote(db, id))) throw new AppError("notFound", "Quote not found");
    throw new AppError("conflict", "This quote is not accepted, or was sold. Reload the page.");
  },
});

/** Stores a decision. @param context with the member of staff; null for the visitor */
async function decide(
  context: RequestContext & { user: CurrentUser | null },
  input: QuoteDecision,
  quote: StoredQuote,
): Promise<Withdrawn> {
  const { id, state, was } = input;
  const { user } = context;
  if (was && ![was, state].includes(quote.state)) throw decidedOtherwise(quote, context.now);
  if (user && (quote.state === "accepted" || quote.state === "withdrawn"))
    return withdrawAccepted(await staffContext(context, user), input);
  const changed = await decideQuote(context.db, id, state);
  const current = changed ?? (await findQuote(context.db, id)) ?? quote;
  // Accepted just now, which a withdrawal follows unless its sender saw otherwise.
  if (user && current.state === "accepted" && !was)
    return withdrawAccepted(await staffContext(context, user), input);
  if (current.state !== state) throw decidedOtherwise(current, epochSeconds());
  return { quote: current, deposit: "" };
}

const staffContext = async (context: RequestContext, user: CurrentUser): Promise<StaffContext> => ({
  ...context,
  user,
  settings: await shopSettings(context),
});

const decidedOtherwise = (quote: StoredQuote, at: number) =>
  new AppError("conflict", QUOTE_REFUSALS[quoteState(quote, at)]);

/** Requires a quote that the caller may see. @throws AppError notFound */
async function requireQuote(context: RequestContext, quote: StoredQuote | undefined) {
  const identity = quote && (await chatIdentity(context, quote.chatId));
  if (!quote || !identity) throw new AppError("notFound", "Quote not found");
  return { quote, role: identity.role };
}
