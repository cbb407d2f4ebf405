import { Form } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { NEW_CUSTOMER } from "../limits";
import type { CardProduct } from "../message-links";
import type { ChatView } from "../protocol";
import { ListFields } from "./ChatActions";
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
  const { visitor, timezone, params } = page;
  const { userName, userEmail, createdAt } = chat;
  const account = visitor?.account;
  const since = account && dateAndTime(account.createdAt, timezone).split(",")[0];
  const name = userName || NEW_CUSTOMER;
  return (
    <section className="visitor-part">
      <div className="visitor-head">
        <span className="initial" aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <div className="grow">
          <h3 className="truncate">{name}</h3>
          <p>{since ? `Account since ${since}` : "Visitor"}</p>
        </div>
        <Rename key={userName} chat={chat} params={params} />
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
        <a href={path} target="_blank" rel="noreferrer">
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

function Rename({ chat, params }: { chat: ChatView } & Pick<ConsoleData, "params">) {
  return (
    <details className="visitor-rename">
      <summary className="tool-button" aria-label="Rename the visitor" title="Rename the visitor">
        <Icon name="pencil" className="i s" />
      </summary>
      <Form method="post" preventScrollReset>
        <ListFields params={params} id={chat.id} />
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
