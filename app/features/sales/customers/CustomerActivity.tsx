import { useLocation } from "@remix-run/react";
import { formatDay } from "~/domain/day-text";
import { PAYMENT_NAMES } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { depositAct, depositReceiptPath, depositTitle, paidText } from "../deposit";
import { depositUrl, documentPath, recordUrl, withdrawUrl } from "../urls";
import type { CustomerPage, TimelineMonth } from "./page.server";

/** Lists active holds and open quotes with what can be done about them. */
export function OpenNow({ page: { holds, quotes, hasMoreOpen } }: { page: CustomerPage }) {
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
      {hasMoreOpen && (
        <p className="panel-text soft">More are open. Listed are the accepted quotes, and what ends first.</p>
      )}
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
        <CustomerAction intent="extend" busy="Extending..." id={id} label="Extend" />
        <CustomerAction intent="release" busy="Releasing..." id={id} label="Release" />
        <Link className="btn small" to={recordUrl({ holdId: id })}>
          Record sale
        </Link>
      </div>
      <span className="num">{dollars(worthCents)}</span>
    </li>
  );
}

function Quote({ quote }: { quote: CustomerPage["quotes"][number] }) {
  const { id, title, state, validUntil, readyBy, totalCents, paidCents } = quote;
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
        {paidCents > 0 && <small>{paidText(quote)}</small>}
      </div>
      <div className="button-row">
        <Link className="btn small" to={withdrawUrl(id)}>
          Withdraw…
        </Link>
        <Link className="btn small" to={depositUrl(id)}>
          {depositAct(paidCents, totalCents)}
        </Link>
        {isAccepted && (
          <Link className="btn small" to={recordUrl({ quoteId: id })}>
            Record sale
          </Link>
        )}
      </div>
      <span className={isAccepted ? "num" : "num offer"}>{dollars(totalCents)}</span>
    </li>
  );
}

interface CustomerActionProps {
  intent: string;
  busy: string;
  id: string;
  label: string;
}

function CustomerAction({ intent, busy, id, label }: CustomerActionProps) {
  const { pathname } = useLocation();
  return (
    <Form method="post" action={pathname} preventScrollReset>
      <input type="hidden" name="holdId" value={id} />
      <SubmitButton intent={intent} busy={busy} className="btn small">
        {label}
      </SubmitButton>
    </Form>
  );
}

type Entry = TimelineMonth["entries"][number];

/** Lists chats, holds, quotes and documents by month, newest first. */
export function Timeline({ page: { timeline, older } }: { page: CustomerPage }) {
  return (
    <section className="panel" aria-labelledby="timeline-title">
      <header>
        <h2 id="timeline-title">Timeline</h2>
      </header>
      {timeline.length === 0 && <p className="panel-text soft">Nothing has happened yet.</p>}
      {timeline.map(({ month, entries }) => (
        <section key={month} aria-label={month}>
          <h3 className="timeline-month">{month}</h3>
          <ol className="timeline">
            {entries.map((entry) => (
              <TimelineEntry key={entry.type + entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      {older !== null && (
        <p className="panel-text">
          <Link className="quiet-link" to={`?show=${older}`} preventScrollReset>
            Show older
          </Link>
        </p>
      )}
    </section>
  );
}

function TimelineEntry({ entry }: { entry: Entry }) {
  const { day, amountCents, type, state } = entry;
  const isOffer = type === "quote";
  return (
    <li>
      <time>{day}</time>
      <Icon name={iconOf(entry)} className="i s" />
      <div className="grow">
        <p>
          <Title entry={entry} />
        </p>
        {type === "hold" && <small>{HOLD_STATES[state] ?? state}</small>}
        {isOffer && <small>{QUOTE_STATES[state] ?? state}</small>}
        {entry.deposits.map((deposit) => (
          <small key={deposit.id}>
            {`${depositTitle(deposit)} `}
            <a className="quiet-link" href={localTo(depositReceiptPath(deposit.id))}>
              {deposit.number}
            </a>
            {`, ${PAYMENT_NAMES[deposit.mode]}, ${dollars(deposit.amountCents)}`}
          </small>
        ))}
      </div>
      <span className={isOffer ? "num offer" : "num"}>
        {amountCents === null ? "" : dollars(amountCents)}
      </span>
    </li>
  );
}

const HOLD_STATES: Record<string, string> = {
  active: "Set aside",
  ended: "Was set aside, the time ran out",
  released: "Was set aside, released",
  sold: "Was set aside, sold",
};
const QUOTE_STATES: Record<string, string> = {
  sent: "Quote, not answered yet",
  accepted: "Quote, accepted",
  declined: "Quote, declined",
  withdrawn: "Quote, withdrawn",
  expired: "Quote, expired",
};

function iconOf({ type, state }: Entry): IconName {
  if (type === "document") return state === "credit" ? "undo-2" : "receipt-text";
  return ICONS[type];
}

const ICONS: Record<"chat" | "hold" | "quote", IconName> = {
  chat: "message-square-text",
  hold: "package-check",
  quote: "file-text",
};

function Title({ entry: { type, id, title, state } }: { entry: Entry }) {
  if (type === "document")
    return (
      <>
        <Link className="quiet-link" to={documentPath(id)}>
          {title}
        </Link>
        {state === "credit" ? ", credit note" : ", sale"}
      </>
    );
  if (type !== "chat") return title;
  return (
    <>
      <Link className="quiet-link" to={`/admin/chat?chat=${encodeURIComponent(id)}`}>
        Chat
      </Link>
      {title && `: “${title}”`}
    </>
  );
}
