import { z } from "zod";
import { CASH_PIECES_CENTS } from "~/domain/currency";
import { BUSINESSES, PAYMENT_MODES } from "~/domain/enums";
import { decimalDollars, dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { Count, Dollars, Id, Time } from "~/http/answers";
import {
  type AmountReading,
  balance,
  clientId,
  dollarAmount,
  optional,
  optionalText,
  requiredText,
  wholeNumber,
} from "~/http/fields";
import { MAX_REASON } from "./drawer";
import { countedPieces, piecesField, readPieces } from "./pieces";

const business = z.enum(BUSINESSES, { error: `Must be one of ${BUSINESSES.join(", ")}` });

export const DrawerInput = z.object({ businessType: business });

const opening = (reading: AmountReading) =>
  z.object({ id: clientId(), businessType: business, float: dollarAmount(reading) });
export const OpeningInput = opening("plain");
/** Form that opens a drawer. */
export const OpeningForm = opening("typed");

const counting = (reading: AmountReading) =>
  z.object({
    businessType: business,
    counted: dollarAmount(reading),
    /** Drawer that the author has seen. */
    id: optional(z.string().max(64, "Too long")),
    expected: optional(balance(reading)).meta({ description: "Cash that the author saw as expected" }),
    reason: optionalText(MAX_REASON).meta({ description: "Of the difference, which needs one" }),
  });
export const CountInput = counting("plain");
/** Fields of the notes and coins. */
export const PIECES_FIELDS = CASH_PIECES_CENTS.map(piecesField);

const pieces = z.object(Object.fromEntries(PIECES_FIELDS.map((name) => [name, optionalText(6)])));

/** Form that closes a drawer by its notes and coins, or by their sum. */
export const CountForm = z.preprocess((body, context) => {
  const typed = pieces.safeParse(body).data ?? {};
  if (!Object.values(typed).some(Boolean)) return body;
  for (const [name, text] of Object.entries(typed))
    if (readPieces(text) === null)
      context.addIssue({ code: "custom", path: [name], message: "Must be a whole number" });
  const cents = countedPieces(typed);
  const { counted } = body as { counted?: unknown };
  const sum = String(counted ?? "");
  if (sum.trim() === "") return { ...(body as object), counted: decimalDollars(cents) };
  if (parseAmount(sum)?.cents !== cents)
    context.addIssue({
      code: "custom",
      path: ["counted"],
      message: `Notes and coins make ${dollars(cents)}`,
    });
  return body;
}, counting("typed"));
export type Counting = z.infer<typeof CountInput>;
export type Opening = z.infer<typeof OpeningInput>;
export type Reopening = z.infer<typeof ReopeningInput>;

export const ReopeningInput = z.object({
  businessType: business,
  id: z
    .string({ error: "Name the drawer" })
    .max(64, "Too long")
    .meta({ description: "Drawer that the author has seen" }),
  closedAt: optional(wholeNumber(0, Number.MAX_SAFE_INTEGER)).meta({
    description:
      "Closing that the author has seen, epoch seconds: sent again after another one, it reopens nothing",
  }),
  reason: requiredText("Say why it is opened again", MAX_REASON),
});

/** Drawer as the API answers it. */
export const Drawer = z
  .object({
    id: Id,
    businessType: business,
    day: z.string().meta({ examples: ["2026-11-21"] }),
    float: Dollars,
    expected: Dollars.meta({
      description: "Float, cash payments and cash expenses of the day, of a closed one until it was closed",
    }),
    counted: Dollars.nullable().meta({ description: "Null while it is open" }),
    difference: Dollars.nullable().meta({ description: "Counted, without what was expected" }),
    reason: z.string(),
    payments: z
      .array(z.object({ mode: z.enum(PAYMENT_MODES), amount: Dollars, count: Count }))
      .meta({ description: "Payments of the day, by mode, of a closed one until it was closed" }),
    cashExpenses: Dollars,
    openedBy: z.string(),
    openedAt: Time,
    closedBy: z.string().nullable(),
    closedAt: Time.nullable(),
  })
  .meta({ id: "Drawer" });
