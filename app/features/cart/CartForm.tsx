import { useFetcher, useLocation } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { showToast } from "~/ui/Toasts";
import { CART_PATH } from "./optimistic";

interface CartFormProps {
  /** Without one, the form's buttons name theirs. */
  intent?: "add" | "set" | "remove" | "clear" | "chat" | "message";
  id?: string;
  className?: string;
  /** Why the server is bound to say no: said at once where there is a script. */
  refusal?: string;
  children: ReactNode;
}

/**
 * A form to the cart: a plain post that leads back to where it was sent from; with a script it is sent behind the
 * page, and the reader stays.
 */
export function CartForm({ intent, id, className, refusal, children }: CartFormProps) {
  const fetcher = useFetcher();
  const { pathname, search } = useLocation();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (refusal) return void showToast("error", refusal);
    const { submitter } = event.nativeEvent as SubmitEvent;
    const form = new FormData(event.currentTarget, submitter);
    form.set("stay", "1");
    fetcher.submit(form, { method: "post", action: CART_PATH });
  };
  return (
    <form
      method="post"
      action={CART_PATH}
      className={className}
      noValidate={intent === "set"}
      onSubmit={send}
    >
      {intent && <input type="hidden" name="intent" value={intent} />}
      <input type="hidden" name="redirectTo" value={pathname + search} />
      {id && <input type="hidden" name="id" value={id} />}
      {children}
    </form>
  );
}
