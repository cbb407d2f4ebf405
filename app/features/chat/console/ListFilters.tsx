import { Form, Link } from "@remix-run/react";
import { PERIOD_NAMES } from "~/features/bookkeeping/periods";
import { businessName } from "~/features/ledger/enums";
import { type ChatFilter, type ChatReport, MAX_SEARCH } from "../limits";
import { type ConsoleParams, consoleUrl } from "./params";

const FILTERS: [ChatFilter, string][] = [
  ["unanswered", "Unanswered"],
  ["mine", "Mine"],
  ["open", "Open"],
  ["closed", "Closed"],
];

const REPORTS: Record<ChatReport, string> = {
  begun: "Begun",
  sold: "Begun and became sales",
  answered: "Begun and answered",
  paid: "With receipts",
};

/** Search and filters of the list of chats; both are in the URL. */
export function ListFilters({ params }: { params: ConsoleParams }) {
  const { q, filter, chat, report } = params;
  return (
    <div className="chat-filters">
      {report && <Report params={params} report={report} />}
      <Form method="get" action="/admin/chat" role="search" preventScrollReset>
        {chat && <input type="hidden" name="chat" value={chat} />}
        {filter && <input type="hidden" name="filter" value={filter} />}
        {report && <input type="hidden" name="report" value={report.kind} />}
        {report?.scope.business && <input type="hidden" name="business" value={report.scope.business} />}
        {report && <input type="hidden" name="period" value={report.scope.period} />}
        <input
          key={q}
          className="input"
          type="search"
          name="q"
          defaultValue={q}
          maxLength={MAX_SEARCH}
          placeholder="Name, e-mail or words"
          aria-label="Search chats"
        />
      </Form>
      <div className="chat-filter-links">
        {FILTERS.map(([name, label]) => (
          <Link
            key={name}
            className="chat-filter"
            to={consoleUrl({ chat, q, report, filter: name === filter ? null : name })}
            aria-current={name === filter ? "true" : undefined}
            preventScrollReset
          >
            {label}
          </Link>
        ))}
      </div>
    </div>
  );
}

/** Names the figure of the dashboard whose chats are listed; a link lists all again. */
function Report({ params, report: { kind, scope } }: ReportProps) {
  const period = scope.period === "all" ? "this-month" : scope.period;
  const parts = [
    REPORTS[kind],
    PERIOD_NAMES[period].toLowerCase(),
    scope.business && businessName(scope.business),
  ];
  return (
    <p className="chat-report">
      {parts.filter(Boolean).join(", ")}{" "}
      <Link to={consoleUrl({ chat: params.chat, q: params.q, filter: params.filter })} preventScrollReset>
        All chats
      </Link>
    </p>
  );
}

interface ReportProps {
  params: ConsoleParams;
  report: NonNullable<ConsoleParams["report"]>;
}
