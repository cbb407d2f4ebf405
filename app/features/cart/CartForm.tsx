import { useLocation, useSubmit } from "@remix-run/react";
import type { FormEvent, KeyboardEvent, MouseEvent, ReactNode } from "react";
import { Icon } from "~/ui/Icon";
import { keepForm } from "~/ui/kept-forms";
import { showToast } from "~/ui/Toasts";
import { CART_PATH } from "./optimistic";

interface CartFormProps {
  /** Omitted where the buttons name it. */
  intent?: string;
  /** Product, or line of the cart. */
  id?: string;
  /** Hidden fields. */
  fields?: Record<string, string | null>;
  formId?: string;
  className?: string;
  /** Error known in advance: shown instead of sending the form. */
  rejection?: string;
  children: ReactNode;
}

/** Form of a cart action: a POST that redirects back, or with JavaScript a fetch that leaves the page in place. */
export function CartForm({ intent, id, fields, formId, className, rejection, children }: CartFormProps) {
  const submit = useSubmit();
  const { pathname, search } = useLocation();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (rejection) return void showToast("error", rejection);
    const { submitter } = event.nativeEvent as SubmitEvent;
    const form = new FormData(event.currentTarget, submitter);
    form.set("stay", "1");
    const request = requestId();
    form.set("request", request);
    if (form.get("intent") !== "chat" && form.get("intent") !== "message")
      keepForm(form, { key: request, action: CART_PATH });
    // A fetcher of its own: Remix reads no cart after a request that the next one of its fetcher has replaced.
    submit(form, { method: "post", action: CART_PATH, navigate: false, fetcherKey: request });
  };
  return (
    <form
      method="post"
      action={CART_PATH}
      className={className}
      id={formId}
      noValidate={intent === "set"}
      onSubmit={send}
      {...ONCE}
    >
      {intent && <input type="hidden" name="intent" value={intent} />}
      <input type="hidden" name="redirectTo" value={pathname + search} />
      {id && <input type="hidden" name="id" value={id} />}
      {Object.entries(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ""} />
      ))}
      {children}
    </form>
  );
}

/** Ignores the second click of a double-click and a held Enter, except on steppers. */
function ignoreRepeat(event: MouseEvent | KeyboardEvent) {
  const isRepeat = "key" in event ? event.repeat && event.key === "Enter" : event.detail > 1;
  if (isRepeat && !(event.target as Element).closest(".stepper button")) event.preventDefault();
}

/** Handlers of a cart form, and of a button outside it. */
export const ONCE = { onClick: ignoreRepeat, onKeyDown: ignoreRepeat };

const requestId = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 8);

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

/** Selects all of a stepper's number when a click into it ends: what is typed next replaces it. */
export function selectOnRelease(event: MouseEvent<HTMLInputElement>): void {
  // A browser drops a selection that is clicked.
  event.preventDefault();
  event.currentTarget.select();
}

function withType(button: StepperButton) {
  return { ...button, type: button.onClick ? ("button" as const) : ("submit" as const) };
}
