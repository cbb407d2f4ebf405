import { Form } from "@remix-run/react";
import { HistoryLink } from "~/features/audit/ObjectHistory";
import { Icon } from "~/ui/Icon";
import type { ChatView } from "../protocol";
import type { ConsoleData } from "./page.server";
import { consoleUrl } from "./params";

interface ChatActionsProps {
  page: ConsoleData;
  chat: ChatView;
}

/** Forms that assign, close or reopen a chat; each names the values that it shows, to detect a colleague's change. */
export function ChatActions({ page: { params, staff }, chat }: ChatActionsProps) {
  const { assigneeId, state } = chat;
  const fields = (
    <>
      <ListFields params={params} id={chat.id} />
      <input type="hidden" name="was" value={JSON.stringify({ assigneeId, state })} />
    </>
  );
  return (
    <div className="chat-actions">
      <Form method="post" preventScrollReset>
        {fields}
        <AssigneeSelect key={assigneeId} staff={staff} assigneeId={assigneeId} />
        <noscript>
          <button type="submit" className="btn">
            Assign
          </button>
        </noscript>
      </Form>
      <Form method="post" preventScrollReset>
        {fields}
        <button type="submit" className="btn" name="state" value={state === "open" ? "closed" : "open"}>
          <Icon name={state === "open" ? "check" : "rotate-cw"} className="i s" />
          <span>{state === "open" ? "Close chat" : "Reopen chat"}</span>
        </button>
      </Form>
      <HistoryLink id={chat.id} />
    </div>
  );
}

type AssigneeSelectProps = Pick<ConsoleData, "staff"> & Pick<ChatView, "assigneeId">;

function AssigneeSelect({ staff, assigneeId }: AssigneeSelectProps) {
  return (
    <select
      className="input"
      name="assigneeId"
      aria-label="Assigned to"
      defaultValue={assigneeId ?? ""}
      onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
    >
      <option value="">Nobody</option>
      {staff.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Fields of each form: the intent, the chat, and the list that stays as it is. */
export function ListFields({ params: { q, filter }, id }: Pick<ConsoleData, "params"> & { id: string }) {
  return (
    <>
      <input type="hidden" name="intent" value="updateChat" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="list" value={consoleUrl({ q, filter }).split("?")[1] ?? ""} />
    </>
  );
}
