import onDemandCss from "~/features/catalogue/on-demand.css?url";
import { loadStyles } from "~/ui/load-styles";
import { dismissToast, showToast } from "~/ui/Toasts";
import { CartForm } from "./CartForm";

const TOAST = "removed-line";
/** Milliseconds. The 2 s of a success toast are too short to reach a button (WCAG 2.2.1). */
const DURATION = 10_000;

/** Reports a removed line with a button that puts it back. @param form of the removal */
export function notifyRemoval(message: string, form: URLSearchParams): void {
  loadStyles(onDemandCss).catch(() => undefined);
  void showToast("success", <RemovedLine message={message} form={form} />, { id: TOAST, duration: DURATION });
}

function RemovedLine({ message, form }: { message: string; form: URLSearchParams }) {
  const value = (name: string) => form.get(name);
  const fields = {
    color: value("color"),
    engraving: value("engraving"),
    quantity: value("was"),
    at: value("at"),
    quietly: "1",
  };
  return (
    <span className="undo-removal">
      {message}
      <CartForm intent="add" id={value("id") ?? ""} fields={fields}>
        <button type="submit" className="link" onClick={() => void dismissToast(TOAST)}>
          Undo
        </button>
      </CartForm>
    </span>
  );
}
