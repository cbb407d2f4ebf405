import { useLocation, useNavigation } from "@remix-run/react";
import { Form } from "~/ui/navigation";

interface RowActProps {
  intent: string;
  busy: string;
  /** Name of the field with the id. */
  field?: "holdId" | "quoteId";
  id: string;
  label: string;
  /** Accessible name, which begins with the label and says whose it is. */
  name: string;
}

/** Form of one button that acts on a hold or quote; it leads back to the page with its filters. */
export function RowAct({ intent, busy, field = "holdId", id, label, name }: RowActProps) {
  const { pathname, search } = useLocation();
  const { state, formData } = useNavigation();
  const isSending = state !== "idle" && formData?.get("intent") === intent && formData.get(field) === id;
  return (
    <Form method="post" action={pathname + search} preventScrollReset>
      <input type="hidden" name={field} value={id} />
      <button
        type="submit"
        name="intent"
        value={intent}
        className="btn small"
        disabled={isSending}
        aria-busy={isSending || undefined}
        aria-label={isSending ? undefined : name}
      >
        {isSending ? busy : label}
      </button>
    </Form>
  );
}
