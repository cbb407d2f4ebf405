import { z } from "zod";
import { PAYMENT_MODES } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { AppError, type ErrorDetail, validationError } from "~/http/errors";
import { dollarAmount, flag, optionalText, wholeNumber } from "~/http/fields";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, parseInput } from "~/http/operation.server";
import { withoutDialog } from "~/ui/DataTable/list-params";
import { MAX_LINES } from "../document";
import { storeCredit } from "../operations/credit.server";
import { PART_FIELDS, typedParts } from "../payments";
import { mailReceipt } from "../receipt/operations.server";
import { CreditInput } from "../sale-schema";
import { documentId, requestId } from "../schema";

/** Fields of one name; a form sends one or several. */
const list = <T extends z.ZodType>(entry: T, max: number) =>
  z.preprocess(
    (value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]),
    z.array(entry).max(max, `Must be at most ${max}`),
  );

/** Lines of a document, which may have one more than its sale. */
const MAX_DOCUMENT_LINES = MAX_LINES + 1;
const pieces = z.preprocess(
  (value) => (typeof value === "string" && value.trim() === "" ? 0 : value),
  wholeNumber(0, 1_000_000),
);
const offAmount = z.preprocess(
  (value) => (typeof value === "string" && value.trim() === "" ? 0 : value),
  dollarAmount("typed"),
);

/** Credit form of a document's page: `take` has the pieces and `off` the amount of each `line`, in the same order. */
const CreditForm = z.object({
  id: documentId,
  creditId: requestId,
  line: list(wholeNumber(1, MAX_DOCUMENT_LINES), MAX_DOCUMENT_LINES),
  take: list(pieces, MAX_DOCUMENT_LINES),
  off: list(offAmount, MAX_DOCUMENT_LINES),
  all: flag.default(false),
  restock: flag.default(false),
  paymentMode: z.enum(PAYMENT_MODES, { error: "Choose how it is paid back" }),
  [PART_FIELDS.CASH]: optionalText(20),
  [PART_FIELDS.EMT]: optionalText(20),
  [PART_FIELDS.CARD]: optionalText(20),
  reason: optionalText(500),
});

/**
 * Issues a credit note from the form.
 *
 * @throws AppError invalid when nothing is to be taken back; else as `storeCredit`, with each detail at its field
 */
const creditByForm = operation({
  access: "staff",
  input: CreditForm,
  maxFields: 3 * MAX_DOCUMENT_LINES + 10,
  async run({ input, ...context }) {
    const { id: saleId, creditId: id, all, paymentMode, restock, reason } = input;
    const taken = takenLines(input);
    if (!all && taken.length === 0)
      throw validationError([{ path: "take", message: "Enter how many pieces to take back, or an amount" }]);
    const lines = all ? {} : { lines: taken.map(({ line }) => line) };
    const fields = taken.map(({ field }) => field);
    const payments = typedParts(input, paymentMode);
    const credit = parseInput(CreditInput, { saleId, id, ...lines, paymentMode, payments, restock, reason });
    return storeCredit(context, credit).catch((error) => {
      throw error instanceof AppError ? atFields(error, fields) : error;
    });
  },
});

/** Line that a form credits, and its place in the form. */
interface TakenLine {
  field: number;
  line: { line: number; quantity: number } | { line: number; amount: number };
}

/** Lists what a form credits, with the place of each line. @throws AppError invalid for pieces and an amount of one line */
function takenLines({ line, take, off }: z.infer<typeof CreditForm>): TakenLine[] {
  const both = line.flatMap((_, i) => (take[i] && off[i] ? [{ path: `take.${i}`, message: EITHER }] : []));
  if (both.length > 0) throw validationError(both);
  return line.flatMap((number, field): TakenLine[] => {
    if (take[field]) return [{ field, line: { line: number, quantity: take[field] } }];
    return off[field] ? [{ field, line: { line: number, amount: off[field] / 100 } }] : [];
  });
}

const EITHER = "Pieces or an amount, not both";

/** Moves the details of an error from the request's lines to the form's fields. */
function atFields(error: AppError, fields: number[]): AppError {
  const { code, message, details } = error;
  const moved = details?.map(({ path, message: text }): ErrorDetail => {
    const [, index] = /^lines\.(\d+)/.exec(path) ?? [];
    return { path: index === undefined ? path : `take.${fields[Number(index)] ?? 0}`, message: text };
  });
  return new AppError(code, message, moved ? { details: moved } : {});
}

/** Names the documents of one file. */
const pickDocuments = operation({
  access: "staff",
  input: z.object({ ids: list(documentId, 100) }),
  async run({ input: { ids } }) {
    if (ids.length === 0) throw validationError([{ path: "ids", message: "Tick the documents first" }]);
    return ids;
  },
});

/** Action of the list without JavaScript: leads to one file with the ticked documents. */
export const PRINT_FORMS: FormIntents = {
  print: intent(pickDocuments, {
    done: (ids) => ({ to: `/receipts.pdf?${new URLSearchParams({ ids: ids.join(",") })}` }),
    failed: ({ details, message }) => details?.[0]?.message ?? message,
  }),
};

/** Actions of a document's page. @param url of the form */
export function documentForms(url: string): FormIntents {
  const to = withoutCredit(url);
  return {
    credit: intent(creditByForm, {
      done: ({ number, totalCents }) => ({ to, toast: `${number} issued: ${dollars(totalCents)}` }),
      failed: ({ code, details, message }) =>
        code === "invalid" ? (details?.[0]?.message ?? message) : `Not credited. ${message}`,
    }),
    mail: intent(mailReceipt, {
      done: ({ to: address, isSent }) => ({
        to,
        toast: isSent ? `Sent to ${address}` : `The mail to ${address} waits: it will be sent later`,
      }),
      failed: ({ details, message }) => `Not sent. ${details?.[0]?.message ?? message}`,
    }),
  };
}

function withoutCredit(url: string): string {
  const { pathname, searchParams } = new URL(withoutDialog(url), "http://local");
  searchParams.delete("credit");
  const query = searchParams.toString();
  return query ? `${pathname}?${query}` : pathname;
}
