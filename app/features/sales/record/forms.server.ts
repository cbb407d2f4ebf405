import { type ZodType, z } from "zod";
import { isDay } from "~/domain/calendar-day";
import { instantAt, localDay } from "~/domain/days";
import { decimalDollars, dollars } from "~/domain/money";
import { consoleUrl } from "~/features/chat/console-params";
import { AppError, type ErrorDetail, validationError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { lineFields, namedFields } from "~/http/form-fields";
import { operation, parseInput, type ResultOf, type StaffContext } from "~/http/operation.server";
import { requestKey } from "~/http/repeated-request.server";
import type { RequestContext } from "~/http/request-context.server";
import { parseDiscount } from "../discount";
import { MAX_LINES } from "../document";
import { addCustomer } from "../operations/customers.server";
import { ID_TAKEN, refuseUnknown, storeSale } from "../operations/record.server";
import { cashOf, PART_FIELDS, plainAmount, typedParts } from "../payments";
import { findHold, findQuote } from "../queries/holds-and-quotes.server";
import { SaleInput, type SaleRequest } from "../sale-schema";
import { type LinesRequest, lineProblems } from "../shortages.server";
import { documentLinks, nextSaleUrl } from "../urls";
import { CUSTOMER_FIELDS } from "./customer-edits";
import {
  type DraftLine,
  draftLines,
  LINE_FIELDS,
  lineConfirmation,
  pieces,
  priceCents,
  priceOfPieces,
  typedText as text,
  titleOf,
} from "./draft";
import { editCustomer } from "./found-customers.server";
import { findUnits, NOTHING_FOUND } from "./found-units.server";
import { applyEdit, parseEdit } from "./line-edits";
import { lineFailure } from "./line-failure";
import { readSaleProducts } from "./proposal.server";

/** Fields of the forms, besides those of their lines. */
const FIELDS = [
  "id",
  "chatId",
  "holdId",
  "quoteId",
  ...CUSTOMER_FIELDS,
  "findCustomer",
  "customerEmail",
  "paymentMode",
  ...Object.values(PART_FIELDS),
  "createdAt",
  "openedOn",
  "cashReceived",
  "discount",
  "customerName",
  "until",
  "title",
  "files",
  "saleId",
  "credits",
  "restock",
  "reason",
  "readyBy",
  "validUntil",
  "note",
  "find",
  "unclear",
  "edit",
];
/** Names the fields of Record sale, and of the forms of holds and quotes. */
export const LineFormFields = namedFields([...FIELDS, ...lineFields("lines", LINE_FIELDS, MAX_LINES)]);

/**
 * Converts a line's price for one piece to the amount of the line; an invalid price is reported as the amount. Beside an
 * invalid quantity a valid price stands as it is.
 */
export function withAmount(line: DraftLine) {
  const { price, ...fields } = line;
  const cents = pieces(line) === null ? priceCents(line) : priceCents(line) && priceOfPieces(line);
  return { ...fields, amount: cents === null ? price.trim() : decimalDollars(cents) };
}

/** Converts a typed discount for the schema; 0 is none, other text stays, for it to reject. */
export function sentDiscount({ discount: typed }: Pick<DraftLine, "discount">) {
  const discount = parseDiscount(typed);
  if (!discount) return discount === undefined ? "" : typed.trim();
  return "basisPoints" in discount
    ? { percent: discount.basisPoints / 100 }
    : { amount: decimalDollars(discount.amountCents) };
}

/** Tells whether a form's payment has a part in cash. */
const paysCash = (sale: Record<string, unknown>): boolean => {
  const rest = text(sale.paymentMode);
  return rest === "CASH" || typedParts(sale, rest).some(({ mode }) => mode === "CASH");
};

/** Form of a sale; prices are for one piece. */
const SaleFormInput = z
  .record(z.string(), z.unknown())
  .transform(({ lines: sent, holdId, quoteId, ...sale }) => {
    const lines = draftLines(sent);
    const has = (from: string) => lines.some((line) => line.from.split(" ").includes(from));
    return {
      ...sale,
      // The day on which the form was opened means the moment of recording.
      createdAt: sale.createdAt === sale.openedOn ? "" : sale.createdAt,
      payments: typedParts(sale, text(sale.paymentMode)),
      discount: sentDiscount({ discount: text(sale.discount) }),
      // The field is hidden where no cash pays.
      cashReceived: paysCash(sale) ? plainAmount(text(sale.cashReceived)) : "",
      /** Sources of the form; those of no line stay open. */
      named: { holdId: text(holdId), quoteId: text(quoteId) },
      isOfNewCustomer: text(sale.newCustomer) !== "",
      customerEmail: text(sale.customerEmail).trim(),
      holdId: has("hold") ? text(holdId) : "",
      quoteId: has("quote") ? text(quoteId) : "",
      lines: lines.map((line) => ({ ...withAmount(line), discount: sentDiscount(line) })),
    };
  });

const TIME = /^T(?:[01]\d|2[0-3]):[0-5]\d$/;

/**
 * Converts the day or minute of a field, local to the shop, to an instant.
 *
 * @returns epoch seconds, for a day its end; the text itself when it is neither, for the schema to reject
 */
export function localInstant(value: unknown, timezone: string): unknown {
  const typed = text(value).trim();
  const [day, time] = [typed.slice(0, 10), typed.slice(10)];
  if (!isDay(day) || !(time === "" || TIME.test(time))) return typed;
  return instantAt(`${day}${time || "T23:59"}:00`, timezone);
}

export const HoldFormInput = z
  .record(z.string(), z.unknown())
  .transform(({ id, chatId, holdId, until, lines }) => ({
    id,
    chatId,
    holdId: text(holdId),
    until,
    lines: draftLines(lines).map(({ unitId, description, quantity }) => ({
      unitId,
      description,
      quantity,
    })),
  }));

/** Form of a quote; prices are for one piece. */
export const QuoteFormInput = z
  .record(z.string(), z.unknown())
  .transform(({ id, chatId, title, files, readyBy, validUntil, note, lines }) => ({
    id,
    chatId,
    title: text(title).trim() || titleOf(draftLines(lines)),
    files: [files ?? []].flat(),
    readyBy,
    validUntil,
    note,
    lines: draftLines(lines).map(withAmount),
  }));

/** Lines of the page's form as they were typed, and the button that edits them. */
const LineEditInput = z.record(z.string(), z.unknown()).transform(({ lines, find, edit, ...fields }) => ({
  lines: draftLines(lines),
  find: text(find).slice(0, 100),
  edit: text(edit),
  holdId: text(fields.holdId),
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(text) : text(value),
    ]),
  ),
}));

/** 100 lines of eleven fields, and the others. */
export const LIMITS = { maxFields: 1200, maxBytes: 256 * 1024 };

type SaleForm = z.output<typeof SaleFormInput>;

/** Refuses a form that names an unknown hold or quote, also one of no line. @throws AppError notFound */
async function requireNamed({ db }: StaffContext, { named, ...used }: SaleForm): Promise<void> {
  const { holdId, quoteId } = named;
  const [hold, quote] = await Promise.all([
    used.holdId || !holdId || findHold(db, holdId),
    used.quoteId || !quoteId || findQuote(db, quoteId),
  ]);
  refuseUnknown(named, { hold, quote });
}

/** Records a sale from the page's form, whose prices are for one piece. @throws AppError as recordSale */
const recordSaleByForm = operation({
  access: "staff",
  input: SaleFormInput,
  form: LineFormFields,
  ...LIMITS,
  async run({ input, ...context }) {
    await requireNamed(context, input);
    const sale = await parseLines(SaleInput, input, (request) => lineProblems(context, request));
    const customerId = input.isOfNewCustomer ? await storeCustomer(context, input, sale) : sale.customerId;
    const documents = await storeSale(context, { ...sale, customerId });
    const paidNow = documents.flatMap(({ payments }) => payments).filter(({ quoteId }) => quoteId === null);
    const cashCents = cashOf(paidNow);
    return { documents, changeCents: cashCents > 0 ? Math.max(0, (sale.cashReceived ?? 0) - cashCents) : 0 };
  },
});

/**
 * Adds the customer of a sale whose fields and lines are right.
 *
 * @returns id of the customer, the same for the same form
 * @throws AppError invalid for the name, the e-mail address or a line
 */
async function storeCustomer(context: StaffContext, form: SaleForm, sale: SaleRequest): Promise<string> {
  await checkLines(SaleInput, form, (request) => lineProblems(context, request));
  const fields = { name: sale.customerName, email: form.customerEmail };
  const { requestHash } = await requestKey(undefined, { ...fields, sale: sale.id });
  const id = `${requestHash.slice(0, 32)}-of-sale`;
  try {
    return (await addCustomer.execute(context, { id, ...fields })).id;
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error;
    const ofForm = (path: string) => ({ name: "customerName", email: "customerEmail" })[path] ?? path;
    throw validationError(error.details.map((detail) => ({ ...detail, path: ofForm(detail.path) })));
  }
}

/**
 * Checks a sale from the page's form, which waits for a confirmation.
 *
 * @throws AppError notFound for the hold or quote; invalid with every problem
 */
const checkSaleByForm = operation({
  access: "staff",
  input: SaleFormInput,
  form: LineFormFields,
  ...LIMITS,
  async run({ input, ...context }) {
    await requireNamed(context, input);
    await checkLines(SaleInput, input, (request) => lineProblems(context, request));
  },
});

/** Form of lines as it was typed. */
interface TypedLines {
  lines: Pick<DraftLine, "unitId" | "description" | "quantity">[];
  holdId?: string;
}

/**
 * Checks a form of lines.
 *
 * @param problemsOf lines whose fields are right, such as shortages
 * @throws AppError invalid with every problem of fields and lines
 */
export async function parseLines<I>(
  schema: ZodType<I>,
  form: TypedLines & Record<string, unknown>,
  problemsOf: (request: LinesRequest) => Promise<ErrorDetail[]>,
): Promise<I> {
  try {
    return parseInput(schema, form);
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error;
    throw validationError([...error.details, ...(await problemsOf(linesRequest(form)))]);
  }
}

const linesRequest = ({ lines, holdId }: TypedLines): LinesRequest => ({
  lines: lines.map((line) => ({ ...line, quantity: pieces(line) ?? 0 })),
  holdId,
});

/** Checks a form of lines, and those whose fields are right too. @throws AppError as parseLines */
export async function checkLines<I>(...args: Parameters<typeof parseLines<I>>): Promise<void> {
  await parseLines(...args);
  const [, form, problemsOf] = args;
  const problems = await problemsOf(linesRequest(form));
  if (problems.length > 0) throw validationError(problems);
}

/** Edits the lines of the form without JavaScript: nothing is stored, the form is drawn again. */
const editLines = operation({
  access: "staff",
  input: LineEditInput,
  form: LineFormFields,
  ...LIMITS,
  async run({ input: { lines, find, edit, holdId, fields }, ...context }) {
    const pressed = parseEdit(edit);
    // Enter presses the form's first button, which edits nothing; with text to search for, it means the search.
    const wanted = pressed.type === "none" && find.trim() ? { type: "find" as const } : pressed;
    const isEntered = pressed.type === "none";
    const { only, found } =
      wanted.type === "find" ? await findUnits(context, find, isEntered) : NOTHING_FOUND;
    const change = only ? { type: "add" as const, unitId: only } : wanted;
    const hold = holdId ? await findHold(context.db, holdId) : undefined;
    const added = change.type === "add" || change.type === "choose" ? [change.unitId] : [];
    const ids = [...lines.map(({ unitId }) => unitId), ...added, ...(found ?? [])];
    const products = await readSaleProducts(context, ids, hold, true);
    const isSearch = change.type === "find";
    const { foundCustomers, ...customer } = await editCustomer(context, wanted, {
      fields,
      isEntered: wanted.type === "none",
    });
    return {
      fields: customer.fields,
      foundCustomers,
      lines: applyEdit(lines, change, find, products.get(added[0] ?? ""), products),
      products: [...products.values()],
      query: isSearch ? find : "",
      foundIds: found?.filter((id) => products.has(id)) ?? null,
    };
  },
});
export type EditedLines = ResultOf<typeof editLines>;

/** Asks about the form as its page does. */
export const confirmLines = (fields: FormData, { now, settings }: RequestContext) =>
  lineConfirmation(fields, localDay(now, settings.timezone));

/** Intent of the buttons that only edit lines; they name none. */
export const EDIT_LINES: FormIntents = { edit: intent(editLines, { done: (page) => ({ page }) }) };

/** Message where the answer to an earlier version of the form was lost. */
const RECORDED_BEFORE =
  "A sale was recorded from this form before, with other content: it stands among the documents. Remove the lines to begin another.";

/** Intents of Record sale. */
export const RECORD_FORMS: FormIntents = {
  ...EDIT_LINES,
  record: intent(recordSaleByForm, {
    done({ documents, changeCents }) {
      const [first] = documents;
      const chatId = first?.chatId ?? null;
      const numbers = documents.map(({ number }) => number).join(" and ");
      return {
        // At the counter the next sale begins.
        to: chatId ? consoleUrl({ chat: chatId }) : nextSaleUrl(documents.map(({ id }) => id)),
        toast: {
          type: "success",
          message: `Sale recorded: ${numbers}${changeCents > 0 ? "." : ""}`,
          highlight: changeCents > 0 ? `Change ${dollars(changeCents)}` : undefined,
          links: documentLinks(documents),
        },
      };
    },
    failed: (error) => (error.message === ID_TAKEN ? RECORDED_BEFORE : lineFailure("sold")(error)),
    confirmation: confirmLines,
    check: checkSaleByForm,
  }),
};
