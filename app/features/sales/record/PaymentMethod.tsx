import type { ComponentProps, ReactNode } from "react";
import { PAYMENT_MODES, PAYMENT_NAMES, type PaymentMode } from "~/domain/enums";
import { FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { PaymentParts, partsProblem } from "../PaymentParts";
import { fieldProblem, type useLinesForm } from "./useLinesForm";

const ICONS: Record<PaymentMode, IconName> = { CASH: "banknote", CARD: "credit-card", EMT: "send" };

export const paymentModeOf = (text: string): PaymentMode =>
  PAYMENT_MODES.find((mode) => mode === text) ?? "CASH";

interface PaymentChoiceProps {
  id: string;
  /** Follows the mode. */
  children?: ReactNode;
  form: Pick<ReturnType<typeof useLinesForm>, "answer"> & {
    paymentMode: PaymentMode;
    setPaymentMode: (mode: PaymentMode) => void;
    split: Omit<ComponentProps<typeof PaymentParts>, "id" | "rest" | "error" | "problem">;
    unpaid?: string | undefined;
  };
}

/** Mode that pays a form of lines, and the parts of other modes. */
export function PaymentChoice({
  id,
  form: { answer, paymentMode, setPaymentMode, split, unpaid },
  children,
}: PaymentChoiceProps) {
  return (
    <>
      <PaymentMethod
        value={paymentMode}
        onChange={setPaymentMode}
        error={fieldProblem(answer, "paymentMode")}
      />
      {children}
      <PaymentParts
        id={id}
        {...split}
        rest={paymentMode}
        error={partsProblem(answer?.lastResult?.error)}
        problem={unpaid}
      />
    </>
  );
}

interface PaymentMethodProps {
  value: PaymentMode;
  onChange: (mode: PaymentMode) => void;
  error: string | undefined;
}

function PaymentMethod({ value, onChange, error }: PaymentMethodProps) {
  return (
    <fieldset className="field sale-wide" aria-describedby={error ? "sale-payment-error" : undefined}>
      <legend>Payment mode</legend>
      <div className="segments">
        {PAYMENT_MODES.map((mode) => (
          <label key={mode}>
            <input
              type="radio"
              name="paymentMode"
              value={mode}
              checked={mode === value}
              onChange={() => onChange(mode)}
            />
            <Icon name={ICONS[mode]} className="i s" />
            {PAYMENT_NAMES[mode]}
          </label>
        ))}
      </div>
      <FieldNotes id="sale-payment" error={error} />
    </fieldset>
  );
}
