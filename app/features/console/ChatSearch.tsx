import { useEffect, useRef } from "react";
import { type ConsoleParams, consoleUrl } from "~/features/chat/console-params";
import { MAX_SEARCH } from "~/features/chat/limits";
import { useEarlyInput, useSearchDelay } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Form, useNavigate } from "~/ui/navigation";

/** Search of the list of chats, which acts while it is typed; without JavaScript on Enter. */
export function ChatSearch({ params }: { params: ConsoleParams }) {
  const { q, filter, chat, report } = params;
  const { field, soon, cancel } = useTypedSearch(params);
  return (
    <Form method="get" action="/admin/chat" role="search" preventScrollReset onSubmit={cancel}>
      {chat && <input type="hidden" name="chat" value={chat} />}
      {filter && <input type="hidden" name="filter" value={filter} />}
      {report && <input type="hidden" name="report" value={report.kind} />}
      {report?.scope.business && <input type="hidden" name="business" value={report.scope.business} />}
      {report && <input type="hidden" name="period" value={report.scope.period} />}
      <div className="search">
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          type="search"
          name="q"
          defaultValue={q}
          maxLength={MAX_SEARCH}
          placeholder="Name, email or words"
          aria-label="Search chats"
          autoComplete="off"
          onInput={soon}
        />
      </div>
    </Form>
  );
}

/** Searches once the typing pauses, and keeps the field equal to the URL unless the search is its own. */
function useTypedSearch({ chat, q, filter, report }: ConsoleParams) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const sent = useRef(q);
  const { soon, cancel } = useSearchDelay(() => {
    sent.current = field.current?.value.trim() ?? "";
    const to = consoleUrl({ chat, q: sent.current, filter, report });
    navigate(to, { replace: true, preventScrollReset: true });
  });
  useEarlyInput(field, q, soon);
  useEffect(() => {
    if (field.current && q !== sent.current) field.current.value = q;
    sent.current = q;
  }, [q]);
  return { field, soon, cancel };
}
