import { Form, Link } from "@remix-run/react";
import { type ChatFilter, MAX_SEARCH } from "../limits";
import { type ConsoleParams, consoleUrl } from "./params";

const FILTERS: [ChatFilter, string][] = [
  ["unanswered", "Unanswered"],
  ["mine", "Mine"],
  ["open", "Open"],
  ["closed", "Closed"],
];

/** Search and filters of the list of chats; both are in the URL. */
export function ListFilters({ params: { q, filter, chat } }: { params: ConsoleParams }) {
  return (
    <div className="chat-filters">
      <Form method="get" action="/admin/chat" role="search" preventScrollReset>
        {chat && <input type="hidden" name="chat" value={chat} />}
        {filter && <input type="hidden" name="filter" value={filter} />}
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
            to={consoleUrl({ chat, q, filter: name === filter ? null : name })}
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
