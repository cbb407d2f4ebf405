import { Form, useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useEarlyInput } from "~/ui/hooks";
import { MAX_SEARCH } from "../limits";
import { type ConsoleParams, consoleUrl } from "./params";

/** Delay of a search after the last key, ms. */
const SEARCH_DELAY = 300;

/** Search of the list of chats, which acts while it is typed; without JavaScript on Enter. */
export function ChatSearch({ params }: { params: ConsoleParams }) {
  const { q, filter, chat, report } = params;
  const { field, search, cancel } = useTypedSearch(params);
  return (
    <Form method="get" action="/admin/chat" role="search" preventScrollReset onSubmit={cancel}>
      {chat && <input type="hidden" name="chat" value={chat} />}
      {filter && <input type="hidden" name="filter" value={filter} />}
      {report && <input type="hidden" name="report" value={report.kind} />}
      {report?.scope.business && <input type="hidden" name="business" value={report.scope.business} />}
      {report && <input type="hidden" name="period" value={report.scope.period} />}
      <input
        ref={field}
        className="input"
        type="search"
        name="q"
        defaultValue={q}
        maxLength={MAX_SEARCH}
        placeholder="Name, e-mail or words"
        aria-label="Search chats"
        autoComplete="off"
        onInput={({ currentTarget }) => search(currentTarget.value)}
      />
    </Form>
  );
}

/** Searches once the typing pauses, and keeps the field equal to the URL unless the search is its own. */
function useTypedSearch(params: ConsoleParams) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const sent = useRef(params.q);
  const latest = useRef(params);
  latest.current = params;
  const cancel = () => clearTimeout(timer.current);
  const search = (typed: string) => {
    cancel();
    timer.current = setTimeout(() => {
      const { chat, filter, report } = latest.current;
      sent.current = typed.trim();
      navigate(consoleUrl({ chat, q: typed.trim(), filter, report }), {
        replace: true,
        preventScrollReset: true,
      });
    }, SEARCH_DELAY);
  };
  useEarlyInput(field, params.q, search);
  useEffect(() => {
    if (field.current && params.q !== sent.current) field.current.value = params.q;
    sent.current = params.q;
  }, [params.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { field, search, cancel };
}
