import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { PRODUCTS_PATH } from "~/features/product-admin/list-params";
import { Icon } from "~/ui/Icon";
import { ScrollBox } from "~/ui/ScrollBox";
import type { RunView } from "./plan";

const NOTE: Record<string, string> = {
  running: "It is still being stored.",
  failed: "It broke off. Send the same file again: no row is stored twice.",
  "cut off": "It was cut off. Send the same file again: no row is stored twice.",
};

/** What came of a bulk upload; it is an address, so it can be come back to (issue: result page). */
export function RunResult({ run }: { run: RunView }) {
  const { id, fileName, created, updated, unchanged, refused, state, errorDetails, notes } = run;
  return (
    <section className="panel run-result" aria-labelledby="run-t">
      <header>
        <h2 id="run-t" tabIndex={-1}>
          {fileName}
        </h2>
        <p>{NOTE[state] ?? "Done."}</p>
      </header>
      <ul className="plan-counts">
        <li>
          <b>{created.toLocaleString("en")} created</b>
        </li>
        <li>
          <b>{updated.toLocaleString("en")} updated</b>
        </li>
        <li>
          <b>{unchanged.toLocaleString("en")} skipped</b>
        </li>
        <li className={refused > 0 ? "danger" : undefined}>
          <b>{refused.toLocaleString("en")} refused</b>
        </li>
        <li className="row-actions">
          {refused > 0 && (
            <a className="btn" href={`${PRODUCTS_PATH}/refused/${id}`} download>
              <Icon name="download" className="i s" />
              Download refused rows
            </a>
          )}
          <Link className="btn primary" to={PRODUCTS_PATH}>
            See the products
          </Link>
        </li>
      </ul>
      {errorDetails.length > 0 && <Refusals run={run} />}
      {notes.length > 0 && <Notes notes={notes} />}
    </section>
  );
}

function Refusals({ run: { errorDetails, refused } }: { run: RunView }) {
  const more = refused - errorDetails.length;
  return (
    <Rows label="Refused rows">
      {errorDetails.map(({ row, product, error }) => (
        <li key={row}>
          <span className="plan-reason">{`Row ${row}: ${error}`}</span>{" "}
          {product && <span className="soft">({product})</span>}
        </li>
      ))}
      {more > 0 && (
        <li className="soft">{more.toLocaleString("en")} more stand in the file of refused rows.</li>
      )}
    </Rows>
  );
}

/** What was left out and what was guessed, so that nobody has to compare. */
function Notes({ notes }: { notes: RunView["notes"] }) {
  return (
    <details className="fold">
      <summary>
        <Icon name="chevron-right" className="i s chev" />
        Good to know <span className="soft">{notes.length.toLocaleString("en")} left out or guessed</span>
      </summary>
      <Rows label="Rows that were left out or guessed">
        {notes.map(({ row, product, note }) => (
          <li key={`${row} ${note}`}>
            {`Row ${row}: ${note}`} {product && <span className="soft">({product})</span>}
          </li>
        ))}
      </Rows>
    </details>
  );
}

function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollBox className="refusals" label={label}>
      <ol>{children}</ol>
    </ScrollBox>
  );
}
