import type { ReactNode } from "react";
import { dollars } from "~/domain/money";
import { ChosenOptions } from "~/features/catalogue/ChosenOptions";
import { EngravedPicture } from "~/features/catalogue/EngravedPicture";
import { nameWithOptions } from "~/features/catalogue/options";
import { consoleUrl } from "~/features/chat/console-params";
import { type CardProduct, latestProductIds, totalOf } from "~/features/chat/message-links";
import type { ChatCartLineNow } from "~/features/chat/operations/messages.server";
import type { ChatView } from "~/features/chat/protocol";
import type { History } from "~/features/chat/rooms";
import { ColumnSales, SaleActions } from "~/features/sales/cards/ColumnSales";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { ProductLink, Stock } from "./MessageStream";
import type { ConsoleData } from "./page.server";
import { dayName } from "./time-format";
import { CONVERSATION, VisitorHead } from "./VisitorHead";

/** Id of the column, to which its link leads on narrow screens. */
const COLUMN = "who";

interface VisitorColumnProps {
  page: ConsoleData;
  history: History;
  /** As the live list shows it. */
  chat: ChatView;
  /** Path of the page that the visitor has in front of them; null when they are away. */
  visitorPage: string | null;
}

/** Right column of a conversation: who writes, their cart and products, earlier chats. On narrow screens a sheet. */
export function VisitorColumn({ page, history, chat, visitorPage }: VisitorColumnProps) {
  const { cart, visitor } = page;
  const unsold = unsoldLines(page);
  const inQuestion = unsold.filter(({ isQuestion }) => isQuestion);
  const requested = unsold.filter(({ isQuestion }) => !isQuestion);
  const inCart = new Set(cart?.lines.map(({ productId }) => productId));
  const asked = askedProducts(page, history).filter(({ id }) => !inCart.has(id));
  return (
    <>
      <a className="visitor-backdrop" href={CONVERSATION} tabIndex={-1}>
        <span className="visually-hidden">Back to the conversation</span>
      </a>
      <aside className="visitor" id={COLUMN} tabIndex={-1} aria-label="Visitor">
        <VisitorHead page={page} chat={chat} visitorPage={visitorPage} />
        <Lines title={linesTitle(requested)} lines={requested} />
        <Lines title="In question" lines={inQuestion} />
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
export function VisitorLink({ page }: Pick<VisitorColumnProps, "page">) {
  const { visitor } = page;
  const unsold = unsoldLines(page);
  const earlier = visitor?.earlier.length ?? 0;
  return (
    <a className="visitor-link" href={`#${COLUMN}`}>
      <Icon name={unsold.length > 0 ? "shopping-cart" : "user-round"} className="i s" />
      <span className="truncate">
        {unsold.length > 0
          ? `${linesTitle(unsold)}, ${itemCount(unsold)}, ${dollars(totalOf(unsold))}`
          : "Visitor"}
        {earlier > 0 && `, ${counted(earlier, "earlier chat")}`}
      </span>
      <Icon name="chevron-right" className="i s" />
    </a>
  );
}

/** Lists what the chat asks for without what was sold in it. */
const unsoldLines = ({ cart, sales }: ConsoleData): ChatCartLineNow[] =>
  (cart?.lines ?? []).filter(({ productId }) => sales?.unsoldIds.includes(productId) ?? true);

/** Names lines by how the visitor asked for them. */
function linesTitle(lines: ChatCartLineNow[]): string {
  if (lines.every(({ inCart }) => inCart !== false)) return "Cart";
  return lines.every(({ isQuestion }) => isQuestion) ? "In question" : "Asked for";
}

function itemCount(lines: ChatCartLineNow[]): string {
  const items = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return counted(items, "item");
}

/** Lines that the chat asks for, or about, with the current stock. */
function Lines({ title, lines = [] }: { title: string; lines: ChatCartLineNow[] | undefined }) {
  if (lines.length === 0) return null;
  return (
    <Part title={title} note={`${itemCount(lines)}, as it was asked for`} amount={dollars(totalOf(lines))}>
      <ul className="visitor-products">
        {lines.map((line) => (
          <CartLine key={nameWithOptions(line.productId, line)} line={line} />
        ))}
      </ul>
    </Part>
  );
}

function CartLine({ line }: { line: ChatCartLineNow }) {
  const { path, name, quantity, priceCents, priceCentsNow, stockNow, onHandNow, lowStock } = line;
  const hasNewPrice = priceCentsNow !== null && priceCentsNow !== priceCents;
  return (
    <li>
      <EngravedPicture {...line} words={line.engraving} sizes="40px" width={40} />
      <b>
        {`${quantity} × `}
        {stockNow === null ? name : <ProductLink path={path} name={name} />}
      </b>
      <span className="visitor-price">{dollars(priceCents * quantity)}</span>
      <ChosenOptions chosen={line} swatch={line.swatch} />
      <Stock left={stockNow} onHand={onHandNow} lowStock={lowStock} />
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
        {products.map(({ id, name, priceCents, stock, onHand, lowStock, image }) => (
          <li key={id}>
            <Picture image={image} alt="" sizes="40px" width={40} />
            <b>
              <ProductLink path={`/products/${id}`} name={name} />
            </b>
            <span className="visitor-price">{dollars(priceCents)}</span>
            <Stock left={stock} onHand={onHand} lowStock={lowStock} />
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
    <Part title="Earlier" note={counted(chats.length, "chat")}>
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
