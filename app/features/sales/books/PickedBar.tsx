import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import type { DocumentRow } from "./list.queries.server";

interface PickedBarProps {
  /** Id of the form to which the rows' checkboxes belong. */
  form: string;
  rows: DocumentRow[];
  picked: ReadonlySet<string>;
  clear: () => void;
}

/** @returns the file with several receipts */
const receiptsUrl = (ids: Iterable<string>) =>
  `/receipts.pdf?${new URLSearchParams({ ids: [...ids].join(",") })}`;

/** Prints the ticked documents; without JavaScript a form sends the ticks. */
export function PickedBar({ form, rows, picked, clear }: PickedBarProps) {
  const sum = rows.reduce((total, { id, totalCents }) => (picked.has(id) ? total + totalCents : total), 0);
  return (
    <div className="picked-bar" data-empty={picked.size === 0 || undefined}>
      <span role="status" className="needs-script">
        {picked.size > 0 && (
          <>
            <b>{`${picked.size} selected`}</b> <span className="soft">{dollars(sum)}</span>
          </>
        )}
      </span>
      {picked.size > 0 && (
        <span className="button-row">
          <a className="btn" href={receiptsUrl(picked)} target="_blank" rel="noreferrer">
            <Icon name="printer" className="i s" />
            Print
          </a>
          <a className="btn" href={receiptsUrl(picked)} download="receipts.pdf">
            <Icon name="file-down" className="i s" />
            One PDF
          </a>
          <button type="button" className="btn quiet" onClick={clear}>
            Clear
          </button>
        </span>
      )}
      <form id={form} method="post" target="_blank" className="without-script">
        <button type="submit" name="intent" value="print" className="btn">
          One PDF of the ticked rows
        </button>
      </form>
    </div>
  );
}
