import { Link } from "@remix-run/react";
import { Icon } from "./Icon";

interface DialogHeadProps {
  title: string;
  /** Where closing it leads. */
  back: string;
  /** What the dialog's form asks for is being done: it can't be closed. */
  isBusy?: boolean;
}

/** The head of a dialog that is an address: its name, and what closes it. */
export function DialogHead({ title, back, isBusy = false }: DialogHeadProps) {
  const cross = <Icon name="x" />;
  return (
    <header>
      <h2 id="dialog-title">{title}</h2>
      {isBusy ? (
        <button type="button" className="tool-button" aria-label="Close" disabled>
          {cross}
        </button>
      ) : (
        <Link
          className="tool-button"
          to={back}
          replace
          preventScrollReset
          aria-label="Close"
          title="Close (Esc)"
        >
          {cross}
        </Link>
      )}
    </header>
  );
}
