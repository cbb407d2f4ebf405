import { Form } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { NEW_CUSTOMER } from "../limits";
import type { ChatView } from "../protocol";
import type { ConsoleData } from "./page.server";
import { consoleUrl } from "./params";

interface ChatActionsProps {
  page: ConsoleData;
  chat: ChatView;
}

/** Forms that assign, close or reopen, and rename a chat. */
export function ChatActions({ page: { params, staff }, chat }: ChatActionsProps) {
  const list = <ListFields params={params} id={chat.id} />;
  return (
    <div className="chat-actions">
      <Form method="post" preventScrollReset>
        {list}
        <AssigneeSelect key={chat.assigneeId} staff={staff} assigneeId={chat.assigneeId} />
        <noscript>
          <button type="submit" className="btn">
            Assign
          </button>
        </noscript>
      </Form>
      <Form method="post" preventScrollReset>
        {list}
        <button type="submit" className="btn" name="state" value={chat.state === "open" ? "closed" : "open"}>
          {chat.state === "open" ? "Close chat" : "Reopen chat"}
        </button>
      </Form>
      <details className="chat-rename" key={chat.userName}>
        <summary className="tool-button" aria-label="Rename the visitor" title="Rename the visitor">
          <Icon name="pencil" className="i s" />
        </summary>
        <Form method="post" preventScrollReset>
          {list}
          <NameInput userName={chat.userName} />
          <button type="submit" className="btn primary">
            Rename
          </button>
        </Form>
      </details>
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

function NameInput({ userName }: Pick<ChatView, "userName">) {
  return (
    <input
      className="input"
      name="userName"
      aria-label="Visitor's name"
      required
      maxLength={80}
      defaultValue={userName || NEW_CUSTOMER}
    />
  );
}

/** Fields of each form: the intent, the chat, and the list that stays as it is. */
function ListFields({ params: { q, filter }, id }: Pick<ConsoleData, "params"> & { id: string }) {
  return (
    <>
      <input type="hidden" name="intent" value="updateChat" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="list" value={consoleUrl({ q, filter }).split("?")[1] ?? ""} />
    </>
  );
}
