import { localTo } from "~/domain/local-to";
import { HistoryLink } from "~/features/audit/ObjectHistory";
import { ListField } from "~/features/chat/ListField";
import { NEW_CUSTOMER } from "~/features/chat/limits";
import type { CardProduct } from "~/features/chat/message-links";
import type { ChatView } from "~/features/chat/protocol";
import { knownName, visitorNumber } from "~/features/chat/visitor-label";
import { Icon } from "~/ui/Icon";
import { Form } from "~/ui/navigation";
import type { ConsoleData } from "./page.server";
import { dateAndTime } from "./time-format";

/** Fragment that closes the sheet of narrow screens. */
export const CONVERSATION = "#main";

interface VisitorHeadProps {
  page: ConsoleData;
  chat: ChatView;
  /** Path of the page that the visitor has in front of them; null when they are away. */
  visitorPage: string | null;
}

/** Head of the column: the visitor's name, addresses and page, and the beginning of the chat. */
export function VisitorHead({ page, chat, visitorPage }: VisitorHeadProps) {
  const { visitor, timezone } = page;
  const { userName, userEmail, createdAt } = chat;
  const account = visitor?.account;
  const since = account && dateAndTime(account.createdAt, timezone).split(",")[0];
  const name = userName || NEW_CUSTOMER;
  const visitorName = knownName(userName) ? "Visitor" : `Visitor ${visitorNumber(chat.id)}`;
  return (
    <section className="visitor-part">
      <div className="visitor-head">
        <span className="initial" aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <div className="grow">
          <h3 className="truncate">{name}</h3>
          <p>{since ? `Account since ${since}` : visitorName}</p>
        </div>
        <Rename key={userName} chat={chat} />
        <a className="tool-button visitor-close" href={CONVERSATION} aria-label="Back to the conversation">
          <Icon name="x" />
        </a>
      </div>
      {visitorPage && <LookingAt path={visitorPage} products={page.products} />}
      <Facts
        email={userEmail}
        phone={account?.phoneNumber}
        began={dateAndTime(createdAt.seconds, timezone)}
      />
    </section>
  );
}

const PAGES: Record<string, string> = {
  "/": "the home page",
  "/shop": "the shop's list",
  "/cart": "the cart",
  "/favourites": "their favourites",
  "/account": "their account",
};

/** Describes a page of the shop; one that is not listed keeps its path. */
function pageName(path: string, products: CardProduct[]): string {
  const product = products.find(({ id }) => path === `/products/${id}`);
  const isConversation = path === "/chat" || path.startsWith("/chat/");
  return product?.name ?? (isConversation ? "their conversation" : (PAGES[path] ?? path));
}

/** Page of the shop that the visitor has in front of them. */
function LookingAt({ path, products }: { path: string; products: CardProduct[] }) {
  return (
    <p className="visitor-page">
      <Icon name="eye" className="i s" />
      <span className="truncate">
        {"Now on "}
        <a href={localTo(path)} target="_blank" rel="noreferrer">
          {pageName(path, products)}
        </a>
      </span>
    </p>
  );
}

/** Addresses of the visitor, and the beginning of the chat. */
function Facts({ email, phone, began }: { email: string; phone: string | undefined; began: string }) {
  return (
    <ul className="visitor-facts">
      {email && (
        <li>
          <Icon name="mail" className="i s" />
          <a href={`mailto:${email}`}>{email}</a>
        </li>
      )}
      {phone && (
        <li>
          <Icon name="phone" className="i s" />
          <a href={`tel:${phone}`}>{phone}</a>
        </li>
      )}
      <li>
        <Icon name="message-square-text" className="i s" />
        Began {began}
      </li>
    </ul>
  );
}

function Rename({ chat }: { chat: ChatView }) {
  return (
    <details className="visitor-rename">
      <summary className="tool-button" aria-label="Rename the visitor" title="Rename the visitor">
        <Icon name="pencil" className="i s" />
      </summary>
      <Form method="post" preventScrollReset>
        <UpdateFields id={chat.id} />
        <input
          className="input"
          name="userName"
          aria-label="Visitor's name"
          required
          maxLength={80}
          defaultValue={chat.userName || NEW_CUSTOMER}
        />
        <button type="submit" className="btn primary">
          Rename
        </button>
      </Form>
    </details>
  );
}

interface ChatActionsProps {
  page: ConsoleData;
  chat: ChatView;
}

/** Forms that assign, close or reopen a chat; each names the values that it shows, to detect a colleague's change. */
export function ChatActions({ page: { staff }, chat }: ChatActionsProps) {
  const { assigneeId, state } = chat;
  const fields = (
    <>
      <UpdateFields id={chat.id} />
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
        <button
          type="submit"
          className="btn"
          name="state"
          value={state === "open" ? "closed" : "open"}
          title={state === "open" ? "Close chat" : "Reopen chat"}
        >
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
      className="select"
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
function UpdateFields({ id }: { id: string }) {
  return (
    <>
      <input type="hidden" name="intent" value="updateChat" />
      <input type="hidden" name="id" value={id} />
      <ListField />
    </>
  );
}
