import type { ReactNode } from "react";
import { Icon } from "./Icon";

interface StepperProps {
  /** What is counted, for those who can't see where the stepper stands. */
  label: string;
  small?: boolean;
  /** The number's field. */
  children: ReactNode;
  less: StepperButton;
  more: StepperButton;
}

/** A button of the stepper: a script's (onClick) or a form's (name and value). */
interface StepperButton {
  disabled: boolean;
  onClick?: () => void;
  name?: string;
  value?: string;
}

/** A number with one less and one more. Its field works by itself where there are no scripts. */
export function Stepper({ label, small = false, children, less, more }: StepperProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out as this grid in every browser
    <div className={small ? "stepper stepper-s" : "stepper"} role="group" aria-label={label}>
      <button {...typed(less)} aria-label="One less">
        <Icon name="minus" />
      </button>
      {children}
      <button {...typed(more)} aria-label="One more">
        <Icon name="plus" />
      </button>
    </div>
  );
}

function typed(button: StepperButton) {
  return { ...button, type: button.onClick ? ("button" as const) : ("submit" as const) };
}
