import { z } from "zod";
import { defaultHoldEnd, formatUntil } from "~/domain/hold-end";
import { id } from "~/http/fields";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { shopSettings } from "~/http/shop-settings.server";
import { extendHold, releaseHold } from "../operations/holds.server";
import { readyQuote } from "../operations/quotes.server";
import { findHold } from "../queries/holds-and-quotes.server";

const HeldInput = z.object({ holdId: id });

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

export const releaseByForm = operation({
  access: "staff",
  input: HeldInput,
  run: async ({ input, ...context }) => releaseHold.execute(context, { id: input.holdId }),
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

/** Acts on the rows of the list of holds, which lead back to it. */
export const holdForms = (context: Pick<RequestContext, "db" | "env" | "now">): FormIntents => ({
  release: intent(releaseByForm, { done: () => ({ toast: "Put back" }) }),
  extend: intent(extendByForm, {
    done: async ({ until }) => ({
      toast: `Set aside until ${formatUntil(until.seconds, context.now, await shopSettings(context))}`,
    }),
  }),
});
