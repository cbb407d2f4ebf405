import { Link } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { dollars } from "~/ui/money";
import { documentPath } from "../documents/list-params";
import type { CustomerPage, TimelineMonth } from "./page.server";

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
