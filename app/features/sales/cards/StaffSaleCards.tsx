import { useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { ListField } from "~/features/chat/ListField";
import type { ChatMessage } from "~/features/chat/protocol";
import { Form, Link } from "~/ui/navigation";
import { holdUrl, recordUrl } from "../urls";
import type { DrawnCard, SaleCardsData } from "./card-data";
import { SaleCards, useSaleCards } from "./SaleCards";

interface StaffSaleCardsProps {
  chatId: string;
  cards: DrawnCard[];
}

/** Cards in the seller's conversation, with what can be done next. */
export function StaffSaleCards({ chatId, cards }: StaffSaleCardsProps) {
  return <SaleCards cards={cards} actions={(card) => <StaffActions chatId={chatId} card={card} />} />;
}

function StaffActions({ chatId, card: { type, data } }: { chatId: string; card: DrawnCard }): ReactNode {
  if (type === "hold" && data.state === "active")
    return (
      <span className="sale-card-actions">
        <ConsoleAction chatId={chatId} intent="releaseHold" id={data.id}>
          Release
        </ConsoleAction>
        <Link className="sale-card-button" to={holdUrl({ chatId, holdId: data.id })}>
          Extend
        </Link>
        <Link className="sale-card-button" to={recordUrl({ chatId, holdId: data.id })}>
          Sell
        </Link>
      </span>
    );
  if (type === "quote" && data.state === "sent")
    return (
      <span className="sale-card-actions">
        <ConsoleAction chatId={chatId} intent="withdrawQuote" id={data.id} fields={{ state: "withdrawn" }}>
          Withdraw
        </ConsoleAction>
      </span>
    );
  if (type === "quote" && data.state === "accepted" && !data.isSold)
    return (
      <span className="sale-card-actions">
        <Link className="sale-card-button" to={recordUrl({ chatId, quoteId: data.id })}>
          Record sale
        </Link>
      </span>
    );
  return null;
}

interface ConsoleActionProps {
  chatId: string;
  intent: string;
  id: string;
  fields?: Record<string, string>;
  children: ReactNode;
}

/** Form of one button that posts to the console. */
export function ConsoleAction({ chatId, intent, id, fields = {}, children }: ConsoleActionProps) {
  return (
    <Form method="post" action={`/admin/chat?${new URLSearchParams({ chat: chatId })}`} preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <ListField />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" name="intent" value={intent} className="sale-card-button">
        {children}
      </button>
    </Form>
  );
}

const statesOf = ({ holds, quotes, receipts }: SaleCardsData) =>
  JSON.stringify([[...holds, ...quotes].map(({ id, state }) => [id, state]), receipts]);

/**
 * Reads the cards of a conversation, and loads the console again when one has changed: its column and the amount of the
 * next sale depend on them.
 *
 * @param loaded data that the page came with
 */
export function useConsoleCards(messages: ChatMessage[], loaded: SaleCardsData | undefined) {
  const { data } = useSaleCards(messages, loaded);
  const { revalidate } = useRevalidator();
  const requested = useRef("");
  useEffect(() => {
    if (!data || !loaded || statesOf(data) === statesOf(loaded) || requested.current === statesOf(data))
      return;
    requested.current = statesOf(data);
    revalidate();
  }, [data, loaded, revalidate]);
  return data;
}
