import type { FormEvent } from "react";
import { decimalDollars, dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { AmountField } from "~/ui/AmountField";
import { useHydrated } from "~/ui/hooks";
import { typeInto } from "~/ui/type-into";
import { handedSums } from "../payments";
import { changeText } from "./SaleTotals";
import { fieldProblem, type LineFormAnswer } from "./useLinesForm";

interface CashReceivedProps {
  answer: LineFormAnswer | undefined;
  received: { initial: string; text: string; onInput: (event: FormEvent<HTMLInputElement>) => void };
  /** Paid in cash; not known without JavaScript. */
  cashCents: number;
}

/** Cash that the customer gives: a field, the sums that people hand over, and the change. */
export function CashReceived({ answer, received, cashCents }: CashReceivedProps) {
  const isHydrated = useHydrated();
  const isCash = cashCents > 0;
  const change = changeText(received.text, cashCents);
  return (
    <div className="sale-wide cash-received" hidden={isHydrated && !isCash}>
      <AmountField
        id="sale-received"
        label="Cash received"
        name="cashReceived"
        defaultValue={received.initial}
        onInput={received.onInput}
        disabled={isHydrated && !isCash}
        error={received.text === received.initial ? fieldProblem(answer, "cashReceived") : undefined}
      />
      {isCash && <QuickSums text={received.text} cashCents={cashCents} />}
      {change && (
        <p className="cash-change">
          Change <output htmlFor="sale-received">{change}</output>
        </p>
      )}
    </div>
  );
}

/** Buttons that fill in what people hand over. */
function QuickSums({ text, cashCents }: { text: string; cashCents: number }) {
  const typed = parseAmount(text)?.cents;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend and borders of its own
    <div className="quick-sums" role="group" aria-label="Received">
      {handedSums(cashCents).map((cents) => (
        <button
          key={cents}
          type="button"
          className="btn"
          aria-pressed={typed === cents}
          onClick={() => typeInto("sale-received", decimalDollars(cents))}
        >
          {dollars(cents)}
        </button>
      ))}
    </div>
  );
}
