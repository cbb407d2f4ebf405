import { Link } from "@remix-run/react";
import type { ChatView } from "~/features/chat/protocol";
import { dollars } from "~/ui/money";
import { ColumnCustomer } from "./ColumnCustomer";
import type { HoldCardData, QuoteCardData, ReceiptCardData } from "./card-data";
import type { ConversationSales } from "./conversation.server";
import { Act } from "./StaffSaleCards";
import { holdUrl } from "./urls";

interface ColumnSalesProps {
  chat: ChatView;
  sales: ConversationSales | null;
}

/** Sections of the console's column: the customer, and what is on hold, offered and sold in the conversation. */
export function ColumnSales({ chat, sales }: ColumnSalesProps) {
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
        {lines.map(({ productId, name, quantity }) => (
          <li key={productId}>{`${quantity} × ${name}`}</li>
        ))}
        <li>
          <Link className="sale-card-button" to={holdUrl({ chatId, holdId: id })}>
            Extend
          </Link>
          <Act chatId={chatId} intent="releaseHold" id={id}>
            Release
          </Act>
        </li>
      </ul>
    </section>
  );
}

function Quote({ quote: { title, state, validUntil, totalCents } }: { quote: QuoteCardData }) {
  return (
    <section className="visitor-part">
      <h3>
        Quote <span>{state === "sent" ? `open until ${validUntil}` : "accepted"}</span>
        <b>{dollars(totalCents)}</b>
      </h3>
      <p className="soft truncate">{title}</p>
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
            <Link to={`/admin/documents/${id}`} className="grow truncate">{`${number} · ${items}`}</Link>
            <span>{dollars(totalCents)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
