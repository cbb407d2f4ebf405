import { useFetcher, useLocation } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { showToast } from "~/ui/Toasts";
import { CART_PATH } from "./optimistic";

interface CartFormProps {
  /** Omitted where the buttons name it. */
  intent?: "add" | "set" | "remove" | "clear" | "chat" | "message";
  id?: string;
  className?: string;
  /** Error known in advance: shown instead of sending the form. */
  rejection?: string;
  children: ReactNode;
}

/** Form of a cart action: a POST that redirects back, or with JavaScript a fetch that leaves the page in place. */
export function CartForm({ intent, id, className, rejection, children }: CartFormProps) {
  const fetcher = useFetcher();
  const { pathname, search } = useLocation();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (rejection) return void showToast("error", rejection);
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
