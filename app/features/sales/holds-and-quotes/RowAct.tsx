import { useLocation, useNavigation } from "@remix-run/react";
import { Form } from "~/ui/navigation";

interface RowActProps {
  intent: string;
  busy: string;
  id: string;
  label: string;
  /** Accessible name, which begins with the label and says whose it is. */
  name: string;
}

/** Form of one button that acts on a hold; it leads back to the page with its filters. */
export function RowAct({ intent, busy, id, label, name }: RowActProps) {
  const { pathname, search } = useLocation();
  const { state, formData } = useNavigation();
  const isSending = state !== "idle" && formData?.get("intent") === intent && formData.get("holdId") === id;
  return (
    <Form method="post" action={pathname + search} preventScrollReset>
      <input type="hidden" name="holdId" value={id} />
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
