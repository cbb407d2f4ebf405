import type { ReactNode } from "react";
import { Icon } from "./Icon";

interface StepperProps {
  /** Accessible name. */
  label: string;
  small?: boolean;
  /** Input for the number. */
  children: ReactNode;
  less: StepperButton;
  more: StepperButton;
}

/** Button of the stepper: with onClick, or with the name and value of a form. */
interface StepperButton {
  disabled: boolean;
  onClick?: () => void;
  name?: string;
  value?: string;
}

/** Number input with buttons for one less and one more; the input works without JavaScript. */
export function Stepper({ label, small = false, children, less, more }: StepperProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as this grid in every browser
    <div className={small ? "stepper stepper-s" : "stepper"} role="group" aria-label={label}>
      <button {...withType(less)} aria-label="One less">
        <Icon name="minus" />
      </button>
      {children}
      <button {...withType(more)} aria-label="One more">
        <Icon name="plus" />
      </button>
    </div>
  );
}

function withType(button: StepperButton) {
  return { ...button, type: button.onClick ? ("button" as const) : ("submit" as const) };
}
