import { PAYMENT_MODES, PAYMENT_NAMES, type PaymentMode } from "~/domain/enums";
import { FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";

const ICONS: Record<PaymentMode, IconName> = { CASH: "banknote", CARD: "credit-card", EMT: "send" };

export const paymentModeOf = (text: string): PaymentMode =>
  PAYMENT_MODES.find((mode) => mode === text) ?? "CASH";

interface PaymentMethodProps {
  value: PaymentMode;
  onChange: (mode: PaymentMode) => void;
  error: string | undefined;
}

/** Choice of the mode that pays. */
export function PaymentMethod({ value, onChange, error }: PaymentMethodProps) {
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
