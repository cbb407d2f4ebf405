import { useRevalidator } from "@remix-run/react";
import { type ReactNode, useEffect, useRef } from "react";
import { ListField } from "~/features/chat/ListField";
import type { ChatMessage } from "~/features/chat/protocol";
import { Form, Link } from "~/ui/navigation";
import { depositAct } from "../deposit";
import { depositUrl, holdUrl, recordUrl, withdrawUrl } from "../urls";
import type { QuoteCardData, SaleCardsData } from "./card-data";
import { type CardActions, useSaleCards } from "./SaleCards";

/** Returns what the seller can do next. */
export const staffActions = (chatId: string): CardActions => ({
  hold: ({ id, state }) =>
    state === "active" && (
      <span className="sale-card-actions">
        <ConsoleAction chatId={chatId} intent="releaseHold" id={id}>
          Release
        </ConsoleAction>
        <Link className="sale-card-button" to={holdUrl({ chatId, holdId: id })}>
          Extend
        </Link>
        <Link className="sale-card-button" to={recordUrl({ chatId, holdId: id })}>
          Sell
        </Link>
      </span>
    ),
  quote: (quote) => <QuoteActions chatId={chatId} quote={quote} />,
});

function QuoteActions({ chatId, quote }: { chatId: string; quote: QuoteCardData }) {
  const { id, state, isSold, totalCents, paidCents } = quote;
  if (state === "sent")
    return (
      <span className="sale-card-actions">
        <ConsoleAction chatId={chatId} intent="withdrawQuote" id={id} fields={WITHDRAW_OPEN}>
          Withdraw
        </ConsoleAction>
        <Link className="sale-card-button" to={depositUrl(id)}>
          Take deposit
        </Link>
      </span>
    );
  if (state !== "accepted" || isSold) return null;
  return (
    <span className="sale-card-actions">
      <Link className="sale-card-button" to={withdrawUrl(id)}>
        Withdraw…
      </Link>
      <Link className="sale-card-button" to={depositUrl(id)}>
        {depositAct(paidCents, totalCents)}
      </Link>
      <Link className="sale-card-button" to={recordUrl({ chatId, quoteId: id })}>
        Record sale
      </Link>
    </span>
  );
}

/** Withdraws a quote that waits for its answer, and none that was accepted meanwhile. */
const WITHDRAW_OPEN = { state: "withdrawn", was: "sent" };

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

const statesOf = ({ holds, quotes, receipts, deposits }: SaleCardsData) =>
  JSON.stringify([[...holds, ...quotes].map(({ id, state }) => [id, state]), receipts, deposits]);

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
