import { Form, Link, useLocation } from "@remix-run/react";
import { formatDay } from "~/ui/dates";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { SubmitButton } from "~/ui/SubmitButton";
import { recordUrl } from "../cards/urls";
import type { CustomerPage } from "./page.server";

/** Lists active holds and open quotes with what can be done about them. */
export function OpenNow({ page: { holds, quotes } }: { page: CustomerPage }) {
  return (
    <section className="panel" aria-labelledby="open-title">
      <header>
        <h2 id="open-title">Open now</h2>
      </header>
      {holds.length + quotes.length === 0 && <p className="panel-text soft">Nothing is open.</p>}
      <ul className="open-now">
        {holds.map((hold) => (
          <Hold key={hold.id} hold={hold} />
        ))}
        {quotes.map((quote) => (
          <Quote key={quote.id} quote={quote} />
        ))}
      </ul>
    </section>
  );
}

function Hold({ hold }: { hold: CustomerPage["holds"][number] }) {
  const { id, items, until, createdBy, placed, worthCents } = hold;
  return (
    <li>
      <Icon name="package-check" className="i s" />
      <div className="grow">
        <p>{`${items}, until ${until}`}</p>
        <small>{`Set aside by ${createdBy}, ${placed}`}</small>
      </div>
      <div className="button-row">
        <Act intent="extend" busy="Extending..." field="holdId" id={id} label="Until tomorrow evening" />
        <Act intent="release" busy="Releasing..." field="holdId" id={id} label="Release" />
        <Link className="btn small" to={recordUrl({ holdId: id })}>
          Record sale
        </Link>
      </div>
      <span className="num">{dollars(worthCents)}</span>
    </li>
  );
}

function Quote({ quote }: { quote: CustomerPage["quotes"][number] }) {
  const { id, title, state, validUntil, readyBy, totalCents } = quote;
  const isAccepted = state === "accepted";
  return (
    <li>
      <Icon name="file-text" className="i s" />
      <div className="grow">
        <p>
          {title}{" "}
          <span className={isAccepted ? "state-label ok" : "state-label go"}>
            {isAccepted ? "Accepted" : `Quote until ${validUntil}`}
          </span>
        </p>
        {readyBy && <small>{`Ready by ${formatDay(readyBy)}`}</small>}
      </div>
      <div className="button-row">
        {isAccepted ? (
          <Link className="btn small" to={recordUrl({ quoteId: id })}>
            Record sale
          </Link>
        ) : (
          <Act intent="withdraw" busy="Withdrawing..." field="quoteId" id={id} label="Withdraw" />
        )}
      </div>
      <span className={isAccepted ? "num" : "num offer"}>{dollars(totalCents)}</span>
    </li>
  );
}

interface ActProps {
  intent: string;
  busy: string;
  field: "holdId" | "quoteId";
  id: string;
  label: string;
}

function Act({ intent, busy, field, id, label }: ActProps) {
  const { pathname } = useLocation();
  return (
    <Form method="post" action={pathname} preventScrollReset>
      <input type="hidden" name={field} value={id} />
      <SubmitButton intent={intent} busy={busy} className="btn small">
        {label}
      </SubmitButton>
    </Form>
  );
}
