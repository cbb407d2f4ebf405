import { PAYMENT_NAMES } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { ListField } from "~/features/chat/ListField";
import { NEW_CUSTOMER } from "~/features/chat/limits";
import type { ChatView } from "~/features/chat/protocol";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { PersonalDataLink } from "../customers/PersonalDataLink";
import { depositReceiptPath, depositTitle } from "../deposit";
import { customerPath, documentPath, holdUrl, quoteUrl, recordUrl } from "../urls";
import type { HoldCardData, QuoteCardData, ReceiptCardData } from "./card-data";
import type { ConversationSales } from "./read-cards.server";
import { ConsoleAction } from "./staff-actions";

interface ColumnSalesProps {
  chat: ChatView;
  sales: ConversationSales | null;
  /** Offers the page of the visitor's personal data. */
  isAdmin: boolean;
}

/** Sections of the console's column: the customer, and what is on hold, offered and sold in the conversation. */
export function ColumnSales({ chat, sales, isAdmin }: ColumnSalesProps) {
  if (!sales) return null;
  const chatId = chat.id;
  const { holds, quotes, receipts } = sales.cards;
  const active = holds.filter(({ state }) => state === "active");
  const open = quotes.filter(({ state, isSold }) => state === "sent" || (state === "accepted" && !isSold));
  return (
    <>
      <ColumnCustomer key={chatId} chat={chat} sales={sales} />
      {active.map((hold) => (
        <Hold key={hold.id} chatId={chatId} hold={hold} />
      ))}
      {open.map((quote) => (
        <Quote key={quote.id} quote={quote} />
      ))}
      {receipts.length > 0 && <Sales receipts={receipts} />}
      {isAdmin && (
        <section className="visitor-part">
          <PersonalDataLink subject={{ chat: chatId }} />
        </section>
      )}
    </>
  );
}

function Hold({ chatId, hold: { id, until, lines } }: { chatId: string; hold: HoldCardData }) {
  return (
    <section className="visitor-part">
      <h3>
        Set aside <span>until {until}</span>
      </h3>
      <ul className="column-sales">
        {lines.map(({ unitId, name, quantity }) => (
          <li key={unitId}>{`${quantity} × ${name}`}</li>
        ))}
        <li>
          <Link className="sale-card-button" to={holdUrl({ chatId, holdId: id })}>
            Extend
          </Link>
          <ConsoleAction chatId={chatId} intent="releaseHold" id={id}>
            Release
          </ConsoleAction>
        </li>
      </ul>
    </section>
  );
}

function Quote({ quote }: { quote: QuoteCardData }) {
  const { title, state, validUntil, totalCents, deposits, paidCents, due } = quote;
  return (
    <section className="visitor-part">
      <h3>
        Quote <span>{state === "sent" ? `open until ${validUntil}` : "accepted"}</span>
        <b>{dollars(totalCents)}</b>
      </h3>
      <p className="soft truncate">{title}</p>
      {deposits.length > 0 && (
        <ul className="column-sales">
          {deposits.map((deposit) => (
            <li key={deposit.id}>
              <span className="grow truncate">
                {`${depositTitle(deposit)} `}
                <a className="quiet-link" href={localTo(depositReceiptPath(deposit.id))}>
                  {deposit.number}
                </a>
                {`, ${PAYMENT_NAMES[deposit.mode]}`}
              </span>
              <span>{dollars(deposit.amountCents)}</span>
            </li>
          ))}
          <li>
            <b className="grow">{due}</b>
            <b>{dollars(totalCents - paidCents)}</b>
          </li>
        </ul>
      )}
    </section>
  );
}

function Sales({ receipts }: { receipts: ReceiptCardData[] }) {
  const total = receipts.reduce((sum, { totalCents }) => sum + totalCents, 0);
  return (
    <section className="visitor-part">
      <h3>
        Sales <span>in this chat</span>
        <b>{dollars(total)}</b>
      </h3>
      <ul className="column-sales">
        {receipts.map(({ id, number, items, totalCents }) => (
          <li key={id}>
            <Link to={documentPath(id)} className="grow truncate">{`${number} · ${items}`}</Link>
            <span>{dollars(totalCents)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ColumnCustomerProps {
  chat: ChatView;
  sales: ConversationSales;
}

/** Section of the console's column: the customer with notes and earlier sales, or how to add or link one. */
function ColumnCustomer({ chat, sales: { customer, earlier, matches, newCustomerId } }: ColumnCustomerProps) {
  if (!customer) return <Unknown chat={chat} matches={matches} newId={newCustomerId} />;
  const { id, name, notes, phoneNumber, chats, sales, totalCents } = customer;
  return (
    <section className="visitor-part">
      <h3>
        Customer <span>{`${counted(chats, "chat")}, ${counted(sales, "sale")}`}</span>
        <b>{dollars(totalCents)}</b>
      </h3>
      <ul className="column-sales">
        <li>
          <Icon name="contact" className="i s" />
          <Link className="quiet-link grow truncate" to={customerPath(id)}>
            {name}
          </Link>
          <span>{phoneNumber}</span>
        </li>
        {notes && (
          <li>
            <Icon name="file-text" className="i s" />
            <span className="grow column-notes">{notes}</span>
          </li>
        )}
        {earlier.map((document) => (
          <li key={document.id}>
            <Icon name={document.kind === "sale" ? "receipt-text" : "undo-2"} className="i s" />
            <Link to={documentPath(document.id)} className="grow truncate">
              {`${document.number} · ${document.item}`}
            </Link>
            <span>{dollars(document.totalCents)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface UnknownProps {
  chat: ChatView;
  matches: ConversationSales["matches"];
  newId: string;
}

/** Offers the customers with the typed address, which proves nothing: a person links one, or adds a new one. */
function Unknown({ chat, matches, newId }: UnknownProps) {
  const { id } = chat;
  return (
    <section className="visitor-part">
      <h3>
        Customer <span>not among your customers yet</span>
      </h3>
      <ul className="column-sales">
        {matches.map((match) => (
          <li key={match.id}>
            <Link className="quiet-link grow truncate" to={customerPath(match.id)}>
              {`${match.name}, same email`}
            </Link>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="chatId" value={id} />
              <input type="hidden" name="customerId" value={match.id} />
              <ListField />
              <SubmitButton intent="linkCustomer" busy="Linking..." className="sale-card-button">
                Link
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
      <AddCustomer chat={chat} newId={newId} />
    </section>
  );
}

function AddCustomer({ chat: { id, userName, userEmail }, newId }: Omit<UnknownProps, "matches">) {
  return (
    <Form method="post" className="column-add" preventScrollReset>
      <input type="hidden" name="chatId" value={id} />
      <input type="hidden" name="id" value={newId} />
      <ListField />
      <input type="hidden" name="email" value={userEmail} />
      <input
        className="input"
        name="name"
        aria-label="Name of the customer"
        placeholder="Name"
        required
        maxLength={100}
        autoComplete="off"
        defaultValue={userName === NEW_CUSTOMER ? "" : userName}
      />
      <SubmitButton intent="addCustomer" busy="Adding..." className="sale-card-button">
        Add
      </SubmitButton>
    </Form>
  );
}

interface SaleActionsProps {
  chatId: string;
  /** null when it could not be read. */
  sales: ConversationSales | null;
}

/** Next steps of a conversation: record its sale, set products aside, send a quote. */
export function SaleActions({ chatId, sales }: SaleActionsProps) {
  const cents = sales?.proposedCents ?? 0;
  const deposit = sales?.depositCents ?? 0;
  const due = Math.max(0, cents - deposit);
  return (
    <div className="sale-actions">
      <Link className="btn primary" to={recordUrl({ chatId })} prefetch="intent" data-record>
        Record sale{" "}
        {cents > 0 && (
          <span className="sale-amount">{deposit > 0 ? `${dollars(due)} to pay` : dollars(cents)}</span>
        )}
        <span className="needs-script" aria-hidden="true">
          <kbd>R</kbd>
        </span>
      </Link>
      <Link className="btn" to={holdUrl({ chatId })} data-hold>
        <Icon name="package-check" className="i s" />
        Set aside
      </Link>
      <Link className="btn" to={quoteUrl({ chatId })}>
        <Icon name="pencil" className="i s" />
        Quote
      </Link>
    </div>
  );
}
