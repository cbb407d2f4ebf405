import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { ChosenOptions, nameWithOptions } from "~/features/catalogue/options";
import { ColumnSales } from "~/features/sales/cards/ColumnSales";
import { SaleActions } from "~/features/sales/cards/SaleActions";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import { NEW_CUSTOMER } from "../limits";
import { type CardProduct, latestProductIds } from "../message-links";
import type { ChatCartLineNow } from "../operations/messages.server";
import type { ChatView } from "../protocol";
import type { History } from "../rooms";
import { ListFields } from "./ChatActions";
import { ProductLink, Stock } from "./MessageStream";
import type { ConsoleData } from "./page.server";
import { consoleUrl } from "./params";
import { dateAndTime, dayName } from "./time-format";

/** Id of the column, to which its link leads on narrow screens. */
const COLUMN = "who";
/** Fragment that closes the sheet of narrow screens. */
const CONVERSATION = "#main";

interface VisitorColumnProps {
  page: ConsoleData;
  history: History;
  /** As the live list shows it. */
  chat: ChatView;
}

/** Right column of a conversation: who writes, their cart and products, earlier chats. On narrow screens a sheet. */
export function VisitorColumn({ page, history, chat }: VisitorColumnProps) {
  const { cart, visitor } = page;
  const inCart = new Set(cart?.lines.map(({ productId }) => productId));
  const asked = askedProducts(page, history).filter(({ id }) => !inCart.has(id));
  return (
    <>
      <a className="visitor-backdrop" href={CONVERSATION} tabIndex={-1}>
        <span className="visually-hidden">Back to the conversation</span>
      </a>
      <aside className="visitor" id={COLUMN} tabIndex={-1} aria-label="Visitor">
        <Who page={page} chat={chat} />
        {cart && cart.lines.length > 0 && <Cart cart={cart} />}
        <ColumnSales chat={chat} sales={page.sales} isAdmin={page.isAdmin} />
        {asked.length > 0 && <AskedAbout products={asked} />}
        {visitor && visitor.earlier.length > 0 && <EarlierChats page={page} chats={visitor.earlier} />}
        <SaleActions chatId={chat.id} sales={page.sales} />
      </aside>
    </>
  );
}

interface PartProps {
  title: string;
  /** Quiet text beside the title. */
  note?: string;
  /** Amount at the end of the line. */
  amount?: string;
  children: ReactNode;
}

/** Section of the column. */
function Part({ title, note, amount, children }: PartProps) {
  return (
    <section className="visitor-part">
      <h3>
        {title} {note && <span>{note}</span>} {amount && <b>{amount}</b>}
      </h3>
      {children}
    </section>
  );
}

/** Line above the messages that leads to the column where it is a sheet. */
export function VisitorLink({ page: { cart, visitor } }: Pick<VisitorColumnProps, "page">) {
  const earlier = visitor?.earlier.length ?? 0;
  return (
    <a className="visitor-link" href={`#${COLUMN}`}>
      <Icon name={cart?.lines.length ? "shopping-cart" : "user-round"} className="i s" />
      <span className="truncate">
        {cart?.lines.length ? `Cart, ${itemCount(cart.lines)}, ${dollars(cart.totalCents)}` : "Visitor"}
        {earlier > 0 && `, ${earlier} earlier ${earlier === 1 ? "chat" : "chats"}`}
      </span>
      <Icon name="chevron-right" className="i s" />
    </a>
  );
}

function Who({ page, chat }: Pick<VisitorColumnProps, "page" | "chat">) {
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
      <Facts
        email={userEmail}
        phone={account?.phoneNumber}
        began={dateAndTime(createdAt.seconds, timezone)}
      />
    </section>
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

function itemCount(lines: ChatCartLineNow[]): string {
  const items = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return `${items} ${items === 1 ? "item" : "items"}`;
}

/** Cart at the start of the chat, with the current stock. */
function Cart({ cart: { lines, totalCents } }: { cart: NonNullable<ConsoleData["cart"]> }) {
  return (
    <Part title="Cart" note={`${itemCount(lines)}, as it was asked for`} amount={dollars(totalCents)}>
      <ul className="visitor-products">
        {lines.map((line) => (
          <CartLine key={nameWithOptions(line.productId, line)} line={line} />
        ))}
      </ul>
    </Part>
  );
}

function CartLine({ line }: { line: ChatCartLineNow }) {
  const { productId, name, quantity, priceCents, priceCentsNow, stockNow, onHandNow, image } = line;
  const hasNewPrice = priceCentsNow !== null && priceCentsNow !== priceCents;
  return (
    <li>
      <Picture image={image} alt="" sizes="40px" width={40} />
      <b>
        {`${quantity} × `}
        {stockNow === null ? name : <ProductLink id={productId} name={name} />}
      </b>
      <span className="visitor-price">{dollars(priceCents * quantity)}</span>
      <ChosenOptions chosen={line} swatch={line.swatch} />
      <Stock left={stockNow} onHand={onHandNow} />
      {hasNewPrice && <span className="visitor-price soft">{`now ${dollars(priceCentsNow)}`}</span>}
    </li>
  );
}

/** Finds the products that the visitor's messages name, latest first. */
function askedProducts({ products, origin }: ConsoleData, { messages }: History): CardProduct[] {
  const byId = new Map(products.map((product) => [product.id, product]));
  const theirs = messages.filter(({ isFromAdmin }) => !isFromAdmin);
  return latestProductIds(theirs, origin).flatMap((id) => byId.get(id) ?? []);
}

function AskedAbout({ products }: { products: CardProduct[] }) {
  return (
    <Part title="Asked about">
      <ul className="visitor-products">
        {products.map(({ id, name, priceCents, stock, onHand, image }) => (
          <li key={id}>
            <Picture image={image} alt="" sizes="40px" width={40} />
            <b>
              <ProductLink id={id} name={name} />
            </b>
            <span className="visitor-price">{dollars(priceCents)}</span>
            <Stock left={stock} onHand={onHand} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Other chats of the visitor's account and browser. */
function EarlierChats({ page, chats }: { page: ConsoleData; chats: ChatView[] }) {
  const { q, filter, report } = page.params;
  return (
    <Part title="Earlier" note={`${chats.length} ${chats.length === 1 ? "chat" : "chats"}`}>
      <ul className="visitor-chats">
        {chats.map(({ id, lastMessage, lastMessageTime, state }) => (
          <li key={id}>
            <Link to={consoleUrl({ chat: id, q, filter, report })} preventScrollReset>
              <span className="truncate">{lastMessage || "No message"}</span>
              <small>
                {dayName(lastMessageTime.seconds, page.now, page.timezone)}
                {state === "closed" && ", closed"}
              </small>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
