import { DAY_SECONDS, epochSeconds } from "~/domain/durations";
import { dollars } from "~/domain/money";
import { chatOfFile } from "~/features/chat/files";
import { chatIdentity } from "~/features/chat/operations/access.server";
import { AppError, fieldError } from "~/http/errors";
import { timestamp } from "~/http/fields";
import { operation, type StaffContext } from "~/http/operation.server";
import { repeatedAnswer, requestKey } from "~/http/repeated-request.server";
import type { RequestContext } from "~/http/request-context.server";
import { fullName } from "~/session/caller.server";
import { Quote } from "../answers";
import { expectCard, postCard, postDecision } from "../cards.server";
import { decideQuote, findQuote, insertQuote, type StoredQuote } from "../queries/holds-and-quotes.server";
import { readSaleState } from "../queries/sale.server";
import { endOf, QuoteChange, QuoteInput, type QuoteRequest } from "../schema";
import { refuseTotalAbove } from "./documents.server";

export type QuoteState = StoredQuote["state"] | "expired";

/** Returns the state of a quote at an instant: it expires by the clock. */
export const quoteState = (
  { state, validUntil }: Pick<StoredQuote, "state" | "validUntil">,
  now: number,
): QuoteState => (state === "sent" && validUntil <= now ? "expired" : state);

function apiQuote(quote: StoredQuote, now: number) {
  const {
    requestHash: _,
    documentId: _document,
    customerId: _customer,
    totalCents,
    validUntil,
    createdAt,
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
  };
}

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

const REFUSALS: Record<QuoteState, string> = {
  sent: "Please try again.",
  accepted: "This quote was accepted already.",
  declined: "This quote was declined already.",
  withdrawn: "This quote was withdrawn.",
  expired: "This quote has expired.",
};

const DECISIONS = {
  accepted: "I accept the quote",
  declined: "I decline the quote",
  withdrawn: "We withdraw the quote",
};

/**
 * Decides an open quote: staff withdraw it, its visitor accepts or declines it. Deciding the same twice is once.
 *
 * @throws AppError notFound, also for another visitor's quote; forbidden for the other side's decision; conflict when it
 * was decided otherwise or has expired
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
  async run({ input: { id, state }, ahead, ...context }) {
    const { quote, role } = await requireQuote(context, await ahead);
    if ((role === "staff") !== (state === "withdrawn"))
      throw new AppError("forbidden", "You don't have permission to do this.");
    const changed = await decideQuote(context.db, id, state);
    const current = changed ?? (await findQuote(context.db, id)) ?? quote;
    if (current.state !== state)
      throw new AppError("conflict", REFUSALS[quoteState(current, epochSeconds())]);
    // Also for a repeated request, in case the first one ended before; the chat has the message once.
    await postDecision({ ...context, user: role === "staff" ? context.user : null }, quote.chatId, {
      id: `quote-${id}-${state}`,
      message: `${DECISIONS[state]}: ${quote.title}, ${dollars(quote.totalCents)}`,
    });
    return apiQuote(current, context.now);
  },
});

/** Requires a quote that the caller may see. @throws AppError notFound */
async function requireQuote(context: RequestContext, quote: StoredQuote | undefined) {
  const identity = quote && (await chatIdentity(context, quote.chatId));
  if (!quote || !identity) throw new AppError("notFound", "Quote not found");
  return { quote, role: identity.role };
}
