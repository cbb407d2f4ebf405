import { type FormEvent, useState } from "react";
import { amountProblem } from "~/domain/amount-problem";
import { PAYMENT_MODES, type PaymentMode } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { useHydrated } from "~/ui/hooks";
import { useCashStep } from "~/ui/shop-numbers";
import type { RefusedForm } from "~/ui/useCheckedForm";
import type { DocumentLine } from "../document";
import { usePaymentParts } from "../PaymentParts";
import { cashLeaves, draftTender, PART_FIELDS } from "../payments";
import { type CreditPart, creditTotals, leftOfLine } from "../tax";

export type CreditForm = ReturnType<typeof useCreditForm>;

/** Reads a text of a refused form. */
export function submitted(refused: RefusedForm | undefined, name: string): string | undefined {
  const value: unknown = refused?.lastResult.initialValue?.[name];
  return typeof value === "string" ? value : undefined;
}

/** Reads a field of each line of a refused form, in the order of the lines. */
function submittedList(
  refused: RefusedForm | undefined,
  name: string,
  count: number,
  none: string,
): string[] {
  const value: unknown = refused?.lastResult.initialValue?.[name];
  const list = Array.isArray(value) ? value : [value];
  return Array.from({ length: count }, (_, i) => (typeof list[i] === "string" ? list[i] : none));
}

/** Typed credit of a line: pieces, or an amount without pieces. */
export interface TypedCredit {
  take: string;
  off: string;
}

/** Keeps the pieces or the amount of each line and computes what they are worth. */
export function useCreditForm(
  sale: { lines: DocumentLine[]; roundingSoFarCents: number },
  paidBy: PaymentMode,
  refused: RefusedForm | undefined,
) {
  const { lines } = sale;
  const [typed, setTyped] = useState(() => typedCredits(refused, lines.length));
  const [isAll, setAll] = useState(submitted(refused, "all") === "on");
  const { mode, split, onInput } = usePaidBack(paidBy, refused);
  const isHydrated = useHydrated();
  const parts = lines.map((line, i) => acceptedPart(typed[i] ?? NOTHING, line));
  const tender = draftTender(split.parts, mode, useCashStep());
  const totals = creditTotals(parts, sale, cashLeaves(tender));
  const problems = lines.map((line, i) => problemOf(typed[i] ?? NOTHING, line));
  const isRight = problems.every((problem) => problem === undefined);
  return {
    typed,
    parts: totals.amounts,
    pieces: parts.map(({ quantity }) => quantity),
    /** Error message of each line as it is typed. */
    problems,
    isAll,
    isEmpty: isHydrated && typed.every(isNothing),
    hasProblems: isHydrated && !isRight,
    /** Null without JavaScript and for what can't be taken back, when it is not known. */
    amount: isHydrated && isRight ? totals.totalCents : null,
    change(index: number, fields: Partial<TypedCredit>) {
      setTyped((before) => before.map((each, i) => (i === index ? { ...each, ...fields } : each)));
      setAll(false);
    },
    takeAll(all: boolean) {
      setAll(all);
      setTyped(lines.map((line) => ({ take: String(all ? line.quantity - line.returned : 0), off: "" })));
    },
    mode,
    split,
    onInput,
  };
}

const NOTHING: TypedCredit = { take: "0", off: "" };

function typedCredits(refused: RefusedForm | undefined, count: number): TypedCredit[] {
  const off = submittedList(refused, "off", count, "");
  return submittedList(refused, "take", count, "0").map((take, i) => ({ take, off: off[i] ?? "" }));
}

const isNone = (text: string) => /^[0.]*$/.test(text.trim());
const isNothing = ({ take, off }: TypedCredit) => isNone(take) && isNone(off);

/** Keeps the mode that pays back, and the parts of the others. */
function usePaidBack(paidBy: PaymentMode, refused: RefusedForm | undefined) {
  const [mode, setMode] = useState<PaymentMode>(modeOf(submitted(refused, "paymentMode")) ?? paidBy);
  const initial = Object.fromEntries(
    Object.values(PART_FIELDS).map((name) => [name, submitted(refused, name) ?? ""]),
  );
  const split = { initial, ...usePaymentParts(initial, refused) };
  const onInput = ({ target }: FormEvent) => {
    const field = target as HTMLInputElement;
    const chosen = field.name === "paymentMode" ? modeOf(field.value) : undefined;
    if (chosen) setMode(chosen);
  };
  return { mode, split, onInput };
}

const modeOf = (text: string | undefined) => PAYMENT_MODES.find((mode) => mode === text);

function problemOf(typed: TypedCredit, line: DocumentLine): string | undefined {
  const { take, off } = typed;
  if (!isNone(off)) return isNone(take) ? amountProblemOf(off, line) : "Pieces or an amount, not both";
  if (isNone(take) || acceptedPart(typed, line).quantity > 0) return undefined;
  const left = line.quantity - line.returned;
  return /^\d+$/.test(take.trim()) ? `At most ${left}` : `Must be a whole number from 0 to ${left}`;
}

function amountProblemOf(off: string, line: DocumentLine): string | undefined {
  const cents = typedCents(off);
  if (cents === null) return amountProblem(off.trim());
  return cents > leftOfLine(line) ? `At most ${dollars(leftOfLine(line))}` : undefined;
}

function typedCents(text: string): number | null {
  const amount = parseAmount(text);
  return amount?.isCertain ? amount.cents : null;
}

/** Reads what is typed of a line; nothing for what the server will refuse. */
function acceptedPart({ take, off }: TypedCredit, line: DocumentLine): CreditPart<DocumentLine> {
  const cents = isNone(off) ? null : typedCents(off);
  if (cents !== null && isNone(take)) {
    const isLeft = cents <= leftOfLine(line);
    return { line, quantity: 0, amountCents: isLeft ? cents : 0 };
  }
  const typed = /^\d{1,7}$/.test(take.trim()) ? Number(take) : 0;
  return { line, quantity: typed <= line.quantity - line.returned ? typed : 0 };
}
