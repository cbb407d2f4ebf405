import { Form, Link } from "@remix-run/react";
import { NEW_CUSTOMER } from "~/features/chat/limits";
import type { ChatView } from "~/features/chat/protocol";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { SubmitButton } from "~/ui/SubmitButton";
import { customerPath } from "../customers/list-params";
import type { ConversationSales } from "./conversation.server";

interface ColumnCustomerProps {
  chat: ChatView;
  sales: ConversationSales;
}

/** Section of the console's column: the customer with notes and earlier sales, or how to add or link one. */
export function ColumnCustomer({
  chat,
  sales: { customer, earlier, matches, newCustomerId },
}: ColumnCustomerProps) {
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
            <Link to={`/admin/documents/${document.id}`} className="grow truncate">
              {`${document.number} · ${document.item}`}
            </Link>
            <span>{dollars(document.totalCents)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

interface UnknownProps {
  chat: ChatView;
  matches: ConversationSales["matches"];
  newId: string;
}

/** Offers the customers with the typed address, which proves nothing: a person links one, or adds a new one. */
function Unknown({ chat, matches, newId }: UnknownProps) {
  const { id, userName, userEmail } = chat;
  return (
    <section className="visitor-part">
      <h3>
        Customer <span>not known yet</span>
      </h3>
      <ul className="column-sales">
        {matches.map((match) => (
          <li key={match.id}>
            <Link className="quiet-link grow truncate" to={customerPath(match.id)}>
              {`${match.name}, same e-mail`}
            </Link>
            <Form method="post" preventScrollReset>
              <input type="hidden" name="chatId" value={id} />
              <input type="hidden" name="customerId" value={match.id} />
              <SubmitButton intent="linkCustomer" busy="Linking..." className="sale-card-button">
                Link
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
      <Form method="post" className="column-add" preventScrollReset>
        <input type="hidden" name="chatId" value={id} />
        <input type="hidden" name="id" value={newId} />
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
    </section>
  );
}
