import { z } from "zod";
import { defaultHoldEnd, formatUntil } from "~/domain/hold-end";
import { AppError } from "~/http/errors";
import { id, timestamp } from "~/http/fields";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, type ResultOf } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import type { Toast } from "~/http/toasts.server";
import { sha256 } from "~/session/tokens.server";
import { listNames } from "~/ui/format";
import { extendHold, placeHold, releaseHold } from "../operations/holds.server";
import { readyQuote } from "../operations/quotes.server";
import { findHold, findHolder } from "../queries/holds-and-quotes.server";

const HeldInput = z.object({ holdId: id });

/** Characters of the id of a hold that takes a release back. */
const MAX_AGAIN_ID = 40;

/** Extends a hold to the closing time after its end. @throws AppError as `extendHold` */
export const extendByForm = operation({
  access: "staff",
  input: HeldInput,
  async run({ input: { holdId }, ...context }) {
    const hold = await findHold(context.db, holdId);
    const until = defaultHoldEnd(Math.max(context.now, hold?.until ?? 0), context.settings);
    return extendHold.execute(context, { id: holdId, until });
  },
});

/** Releases a hold, and names for whom it was. @throws AppError as `releaseHold` */
export const releaseByForm = operation({
  access: "staff",
  input: HeldInput,
  async run({ input: { holdId }, ...context }) {
    const [hold, holder] = await Promise.all([
      releaseHold.execute(context, { id: holdId }),
      findHolder(context.db, holdId),
    ]);
    return { ...hold, holder };
  },
});

/**
 * Takes the release of a hold back: sets the same pieces aside again for the same person, until its end, or by default once that is
 * over. Taking it back twice is once.
 *
 * @throws AppError as `placeHold`; conflict for a hold that was not released, or whose successor has ended
 */
const holdAgain = operation({
  access: "staff",
  input: z.object({ id }),
  ahead: ({ input, db }) => findHold(db, input.id),
  async run({ input, ahead, ...context }) {
    const released = await ahead;
    if (released?.state !== "released") throw new AppError("conflict", "This hold was not put back.");
    const { chatId, customerId, until, lines } = released;
    const hold = await placeHold.execute(context, {
      id: (await sha256(`again:${input.id}`)).slice(0, MAX_AGAIN_ID),
      ...(chatId && { chatId }),
      ...(customerId && { customerId }),
      ...(until > context.now && { until: timestamp(until) }),
      lines: lines.map(({ name, ...line }) => ({ ...line, description: name })),
    });
    if (hold.state !== "active")
      throw new AppError("conflict", "It was set aside again, and has ended since.");
    return hold;
  },
});

const QuoteInput = z.object({ quoteId: id });

const readyByForm = operation({
  access: "staff",
  input: QuoteInput,
  run: async ({ input, ...context }) => readyQuote.execute(context, { id: input.quoteId, isReady: true }),
});

const unreadyByForm = operation({
  access: "staff",
  input: QuoteInput,
  run: async ({ input, ...context }) => readyQuote.execute(context, { id: input.quoteId, isReady: false }),
});

/** Acts on the rows of accepted quotes, which lead back to their page. */
export const QUOTE_FORMS: FormIntents = {
  ready: intent(readyByForm, { done: ({ title }) => ({ toast: `Ready to be fetched: ${title}` }) }),
  notReady: intent(unreadyByForm, { done: ({ title }) => ({ toast: `To be done again: ${title}` }) }),
};

/** Products that a message names, and characters of each: a cookie carries them. */
const MAX_NAMES = 3;
const MAX_NAME_LENGTH = 80;

/** Acts on the rows of the list of holds, which lead back to it. @param url of the form */
export const holdForms = (context: Pick<RequestContext, "db" | "env" | "now">, url: string): FormIntents => ({
  release: intent(releaseByForm, { done: (hold) => ({ toast: putBackToast(hold, new URL(url)) }) }),
  holdAgain: intent(holdAgain, {
    done: async ({ until }) => ({ toast: `Set aside again, until ${await untilText(until, context)}` }),
  }),
  extend: intent(extendByForm, {
    done: async ({ until }) => ({ toast: `Set aside until ${await untilText(until, context)}` }),
  }),
});

const untilText = async (
  { seconds }: { seconds: number },
  context: Pick<RequestContext, "db" | "env" | "now">,
): Promise<string> => formatUntil(seconds, context.now, await shopSettings(context));

/** Names what was put back and for whom it was, with the way back. */
function putBackToast(
  { id: holdId, lines, holder }: ResultOf<typeof releaseByForm>,
  { pathname, search }: Readonly<URL>,
): Toast {
  const names = lines.map(({ name, quantity }) =>
    Array.from(`${quantity} × ${name}`).slice(0, MAX_NAME_LENGTH).join(""),
  );
  const items = listNames(names, MAX_NAMES);
  return {
    type: "success",
    message: holder ? `Put back, for ${holder}` : "Put back",
    undo: { subject: items, action: pathname + search, intent: "holdAgain", id: holdId },
  };
}
