import { useEffect, useState } from "react";
import { PAYMENT_MODES, PAYMENT_NAMES, type PaymentMode } from "~/domain/enums";
import { AmountField } from "~/ui/AmountField";
import { FieldNotes } from "~/ui/Field";
import { useHydrated } from "~/ui/hooks";
import { PART_FIELDS } from "./payments";

/** Texts of the fields, by their name. */
type Parts = Record<string, string>;

const isPart = (name: string) => Object.values(PART_FIELDS).some((field) => field === name);

/**
 * Holds what is typed into the fields of a form's payment parts, also before hydration and by a kept form.
 *
 * @param initial texts as the page was drawn with
 * @param version changes when other code has filled the fields
 */
export function usePaymentParts(initial: Parts, version: unknown) {
  const [parts, setParts] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the fields again for each version
  useEffect(() => {
    const typed = Object.values(PART_FIELDS).map((name) => {
      const input = document.getElementsByName(name)[0];
      return [name, input instanceof HTMLInputElement ? input.value : ""];
    });
    setParts(Object.fromEntries(typed));
  }, [version]);
  const onInput = ({ name, value }: HTMLInputElement) => {
    if (isPart(name)) setParts((known) => ({ ...known, [name]: value }));
  };
  return { parts, onInput };
}

/** Finds the error of a form's payment parts. */
export const partsProblem = (error: Record<string, string[] | null> | null | undefined) =>
  Object.entries(error ?? {}).find(([path]) => path.startsWith("payments"))?.[1]?.[0];

interface PaymentPartsProps {
  id: string;
  /** Texts as the page was drawn with. */
  initial: Parts;
  /** Current texts, by which the fields stay open. */
  parts: Parts;
  /** Mode that pays what the parts leave. */
  rest: PaymentMode;
  /** Problem of the texts that the page was drawn with, and of the current ones. */
  error: string | undefined;
  problem?: string | undefined;
  onInput: (input: HTMLInputElement) => void;
}

/** Fields for parts of a payment in other modes, folded while there is none. */
export function PaymentParts({ id, initial, parts, rest, onInput, ...problems }: PaymentPartsProps) {
  const isHydrated = useHydrated();
  const isUnchanged = Object.entries(parts).every(([name, text]) => text === (initial[name] ?? ""));
  const error = (isUnchanged ? problems.error : undefined) ?? problems.problem;
  const isUsed = error !== undefined || Object.values(parts).some((text) => text.trim() !== "");
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <details
      className="sale-wide payment-parts"
      open={isOpen || isUsed}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Split the payment</summary>
      <fieldset onInput={({ target }) => onInput(target as HTMLInputElement)}>
        <legend>The payment mode pays what these parts leave</legend>
        <div className="payment-part-fields">
          {PAYMENT_MODES.map((mode) => (
            // Without JavaScript the mode may change after the page was drawn.
            <div key={mode} hidden={isHydrated && mode === rest}>
              <AmountField
                id={`${id}-${mode}`}
                name={PART_FIELDS[mode]}
                label={`${PAYMENT_NAMES[mode]} part`}
                defaultValue={initial[PART_FIELDS[mode]] ?? ""}
                aria-invalid={
                  error !== undefined && (parts[PART_FIELDS[mode]] ?? "") !== "" ? true : undefined
                }
              />
            </div>
          ))}
        </div>
        <FieldNotes id={`${id}-parts`} error={error} />
      </fieldset>
    </details>
  );
}
