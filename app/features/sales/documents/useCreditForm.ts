import { type FormEvent, useState } from "react";
import { PAYMENT_MODES, type PaymentMode } from "~/domain/enums";
import { useHydrated } from "~/ui/hooks";
import type { RefusedForm } from "~/ui/useCheckedForm";
import type { DocumentLine } from "../document";
import { usePaymentParts } from "../PaymentParts";
import { cashLeaves, draftTender, PART_FIELDS } from "../payments";
import { creditTotals } from "../tax";

export type CreditForm = ReturnType<typeof useCreditForm>;

/** Reads a text of a refused form. */
export function submitted(refused: RefusedForm | undefined, name: string): string | undefined {
  const value: unknown = refused?.lastResult.initialValue?.[name];
  return typeof value === "string" ? value : undefined;
}

/** Reads the pieces of a refused form, in the order of the lines. */
function submittedPieces(refused: RefusedForm | undefined, count: number): string[] {
  const value: unknown = refused?.lastResult.initialValue?.take;
  const list = Array.isArray(value) ? value : [value];
  return Array.from({ length: count }, (_, i) => (typeof list[i] === "string" ? list[i] : "0"));
}

/** Keeps the pieces of each line and computes what they are worth. */
export function useCreditForm(
  sale: { lines: DocumentLine[]; roundingSoFarCents: number },
  paidBy: PaymentMode,
  refused: RefusedForm | undefined,
) {
  const { lines } = sale;
  const [take, setTake] = useState(() => submittedPieces(refused, lines.length));
  const [isAll, setAll] = useState(submitted(refused, "all") === "on");
  const { mode, split, onInput } = usePaidBack(paidBy, refused);
  const isHydrated = useHydrated();
  const pieces = lines.map((line, i) => acceptedPieces(take[i] ?? "", line));
  const taken = lines.map((line, i) => ({ line, quantity: pieces[i] ?? 0 }));
  const totals = creditTotals(taken, sale, cashLeaves(draftTender(split.parts, mode)));
  const problems = lines.map((line, i) => problemOf(take[i] ?? "", line));
  const isRight = problems.every((problem) => problem === undefined);
  return {
    take,
    parts: totals.amounts,
    pieces,
    /** Error message of each line as it is typed. */
    problems,
    isAll,
    isEmpty: isHydrated && take.every((text) => /^0*$/.test(text.trim())),
    hasProblems: isHydrated && !isRight,
    /** Null without JavaScript and for pieces that can't be taken back, when it is not known. */
    amount: isHydrated && isRight ? totals.totalCents : null,
    change(index: number, value: string) {
      setTake((before) => before.map((each, i) => (i === index ? value : each)));
      setAll(false);
    },
    takeAll(all: boolean) {
      setAll(all);
      setTake(lines.map((line) => String(all ? line.quantity - line.returned : 0)));
    },
    mode,
    split,
    onInput,
  };
}

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

function problemOf(text: string, line: DocumentLine): string | undefined {
  if (/^0*$/.test(text.trim()) || acceptedPieces(text, line) > 0) return undefined;
  const left = line.quantity - line.returned;
  return /^\d+$/.test(text.trim()) ? `At most ${left}` : `Must be a whole number from 0 to ${left}`;
}

/** Reads typed pieces; 0 for what the server will refuse. */
function acceptedPieces(text: string, { quantity, returned }: DocumentLine): number {
  const typed = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
  return typed <= quantity - returned ? typed : 0;
}
