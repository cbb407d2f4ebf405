import { z } from "zod";
import { localDay } from "~/domain/days";
import { dollars } from "~/domain/money";
import { consoleUrl } from "~/features/chat/console-params";
import { dateConfirmation } from "~/features/ledger/confirmations";
import { id, optional, optionalLines } from "~/http/fields";
import { type FormIntents, failureMessage, intent } from "~/http/form-action.server";
import { operation } from "~/http/operation.server";
import type { RequestContext } from "~/http/request-context.server";
import { sha256 } from "~/session/tokens.server";
import { depositReceiptPath, depositTitle } from "../deposit";
import { MAX_NOTE } from "../document";
import { storeDeposit } from "../operations/deposits.server";
import { changeQuote } from "../operations/quotes.server";
import { mailReceipt } from "../receipt/operations.server";
import { DEPOSIT_ENDS, PaymentForm } from "../schema";

/** Takes a deposit from the form, and mails its receipt if wanted. @throws AppError as `takePayment` */
const takeByForm = operation({
  access: "staff",
  input: PaymentForm,
  async run({ input: { mailTo: to, ...input }, ...context }) {
    const deposit = await storeDeposit(context, input);
    return { deposit, mail: to ? await mailReceipt.execute(context, await mailTo(deposit.id, to)) : null };
  },
});

/** Names a mail by its deposit and address: a form that is sent again with another address mails there too. */
const mailTo = async (id: string, to: string) => ({
  ...{ id, to },
  mailId: `${id.slice(0, 36)}-${(await sha256(to)).slice(0, 16)}`,
});

const mailedText = (mail: { to: string; isSent: boolean } | null): string => {
  if (!mail) return "";
  return mail.isSent ? `, mailed to ${mail.to}` : `; the mail to ${mail.to} waits`;
};

const WithdrawForm = z.object({
  quoteId: id,
  deposit: optional(z.enum(DEPOSIT_ENDS, { error: "Choose what happens with the deposit" })),
  /** Cents that the page has shown. */
  depositCents: z.coerce.number().int().min(0).catch(0),
  /** State that the page has shown. */
  was: z.enum(["sent", "accepted"]).optional().catch(undefined),
  message: optionalLines(MAX_NOTE),
});

/** Withdraws a quote from the form. @throws AppError as `changeQuote` */
const withdrawByForm = operation({
  access: "staff",
  input: WithdrawForm,
  async run({ input: { quoteId, depositCents, ...input }, ...context }) {
    const depositAmount = input.deposit && depositCents / 100;
    return changeQuote.execute(context, { id: quoteId, state: "withdrawn", ...input, depositAmount });
  },
});

/** Intents of the form of a deposit. */
export const DEPOSIT_FORMS: FormIntents = {
  take: intent(takeByForm, {
    confirmation: (fields: FormData, { now, settings }: RequestContext) =>
      dateConfirmation(fields, localDay(now, settings.timezone)),
    done: ({ deposit, mail }) => ({
      to: consoleUrl({ chat: deposit.chatId }),
      toast: {
        type: "success",
        message: `${depositTitle(deposit)}: ${dollars(Math.abs(deposit.amountCents))}${mailedText(mail)}`,
        links: [{ to: depositReceiptPath(deposit.id), label: `Receipt ${deposit.number}` }],
      },
    }),
    failed: failureMessage(""),
  }),
};

/** Intents of the form that withdraws a quote. */
export const WITHDRAW_FORMS: FormIntents = {
  withdraw: intent(withdrawByForm, {
    done: ({ chatId }) => ({ to: consoleUrl({ chat: chatId }), toast: "Quote withdrawn" }),
    failed: failureMessage(""),
  }),
};
