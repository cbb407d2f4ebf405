import { type FC, type ReactNode, useCallback, useEffect, useState } from "react";
import { PAID_BY, PAYMENT_NAMES } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { fileUrl } from "~/features/chat/files";
import type { ChatMessage } from "~/features/chat/protocol";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { depositReceiptPath, depositTitle } from "../deposit";
import {
  type CardData,
  type DepositCardData,
  type HoldCardData,
  hasSaleCards,
  type QuoteCardData,
  type ReceiptCardData,
  type SaleCard,
  type SaleCardsData,
} from "./card-data";

/** Forms and links of a card that is still open, for each type. */
export type CardActions = { [Type in keyof CardData]?: (data: CardData[Type]) => ReactNode };

/** Reader of a conversation's cards. */
export interface CardReader {
  /** Current data of holds, quotes and receipts. */
  sales: SaleCardsData | null | undefined;
  /** Forms and links for them. */
  actions: CardActions;
}

interface CardProps<Data> {
  data: Data;
  actions: ReactNode;
}

/** Component of each type. */
const COMPONENTS: { [Type in keyof CardData]: FC<CardProps<CardData[Type]>> } = {
  hold: Hold,
  quote: Quote,
  receipt: Receipt,
  deposit: DepositCard,
};

/** Draws a hold, quote or receipt as it is now; nothing without its data. */
export function saleCard({ type, ...named }: SaleCard, { sales, actions }: CardReader): ReactNode {
  type Data = CardData[typeof type];
  const [id] = Object.values(named);
  const data = sales?.[`${type}s`].find((one) => one.id === id);
  const Component = COMPONENTS[type] as FC<CardProps<Data>>;
  const actionsOf = actions[type] as ((data: Data) => ReactNode) | undefined;
  return data && <Component key={id} data={data} actions={actionsOf?.(data)} />;
}

interface FrameProps {
  id: string;
  icon: IconName;
  title: ReactNode;
  state: ReactNode;
  children: ReactNode;
}

/** Card with a soft yellow head: a promise of the shop. */
function Promised({ id, icon, title, state, children }: FrameProps) {
  return (
    <div className="sale-card" id={id}>
      <div className="sale-card-head">
        <Icon name={icon} className="i s" />
        <b>{title}</b>
        {state}
      </div>
      {children}
    </div>
  );
}

const itemsOf = ({ lines }: HoldCardData) =>
  lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(", ");

const HOLD_ENDS = {
  ended: "ended, no longer set aside",
  released: "released",
  sold: "sold",
};

function Hold({ data: hold, actions }: CardProps<HoldCardData>) {
  if (hold.state !== "active")
    return (
      <div className="sale-card-line">
        <Icon name="package-check" className="i s" />
        {`${itemsOf(hold)}: ${HOLD_ENDS[hold.state]}`}
      </div>
    );
  return (
    <Promised
      id={`hold-${hold.id}`}
      icon="package-check"
      title={`Set aside until ${hold.until}`}
      state={null}
    >
      <ul>
        {hold.lines.map(({ unitId, name, quantity }) => (
          <li key={unitId}>{`${quantity} × ${name}`}</li>
        ))}
      </ul>
      <div className="sale-card-foot">
        <span>Nothing is charged.</span>
        {actions}
      </div>
    </Promised>
  );
}

const QUOTE_STATES: Record<QuoteCardData["state"], string> = {
  sent: "",
  accepted: "Accepted",
  declined: "Declined",
  withdrawn: "Withdrawn",
  expired: "Expired",
};

function QuoteState({ state, validUntil }: Pick<QuoteCardData, "state" | "validUntil">) {
  if (state === "sent") return <span>{`valid until ${validUntil}`}</span>;
  return <span className={state === "accepted" ? "done" : undefined}>{QUOTE_STATES[state]}</span>;
}

function Quote({ data, actions }: CardProps<QuoteCardData>) {
  const { id, state, title, lines, totalCents, paidCents, readyBy, validUntil, note, files } = data;
  return (
    <Promised
      id={`quote-${id}`}
      icon="pencil"
      title={`Quote: ${title}`}
      state={<QuoteState state={state} validUntil={validUntil} />}
    >
      <ul>
        {lines.map(({ text, quantity, amountCents }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a quote never change
          <li key={i}>
            <span>{`${quantity} × ${text}`}</span>
            <span>{dollars(amountCents)}</span>
          </li>
        ))}
      </ul>
      {note && <div className="sale-card-note">{note}</div>}
      {files.length > 0 && (
        <div className="sale-card-note">
          {files.map(({ key, name }) => (
            <a key={key} href={localTo(fileUrl(key))} target="_blank" rel="noopener">
              {name}
            </a>
          ))}
        </div>
      )}
      <div className="sale-card-total">
        <span>{readyBy ? `Ready by ${readyBy}` : "Total"}</span>
        <b>{dollars(totalCents)}</b>
      </div>
      {paidCents > 0 && <PaidLines quote={data} />}
      {actions}
    </Promised>
  );
}

/** Deposits of a quote, and what is left to pay. */
function PaidLines({ quote: { deposits, paidCents, totalCents, paid, due } }: { quote: QuoteCardData }) {
  return (
    <>
      <ul className="sale-card-paid">
        {deposits.map((deposit) => (
          <li key={deposit.id}>
            <span>{`${depositTitle(deposit)}, ${PAYMENT_NAMES[deposit.mode]}`}</span>
            <span>{dollars(-deposit.amountCents)}</span>
          </li>
        ))}
      </ul>
      <div className="sale-card-total sale-card-due">
        <span>{due}</span>
        <b>{dollars(totalCents - paidCents)}</b>
      </div>
      <div className="sale-card-state">
        <Icon name="badge-check" className="i s" />
        {paid}
      </div>
    </>
  );
}

function DepositCard({ data }: CardProps<DepositCardData>) {
  const { id, number, amountCents, mode, quote } = data;
  return (
    <Issued
      title={`${depositTitle(data)} ${number}`}
      about={`For: ${quote}`}
      amountCents={amountCents}
      payment={`${amountCents < 0 ? "Paid back" : "Paid"}, ${PAID_BY[mode]}`}
      number={number}
      to={depositReceiptPath(id)}
    />
  );
}

function Receipt({ data }: CardProps<ReceiptCardData>) {
  const { id, kind, number, totalCents, items, payment } = data;
  return (
    <Issued
      title={`${kind === "sale" ? "Receipt" : "Credit note"} ${number}`}
      about={items}
      amountCents={totalCents}
      payment={payment}
      number={number}
      to={`/receipts/${id}`}
    />
  );
}

interface IssuedProps {
  title: string;
  about: string;
  amountCents: number;
  payment: string;
  number: string;
  /** Path of its page. */
  to: string;
}

/** Card of a receipt. */
function Issued({ title, about, amountCents, payment, number, to }: IssuedProps) {
  return (
    <div className="sale-card">
      <div className="sale-card-receipt">
        <Icon name="receipt-text" />
        <span>
          <b>{title}</b>
          <small>{about}</small>
        </span>
      </div>
      <div className="sale-card-foot">
        <span>
          <b>{dollars(amountCents)}</b>
          <small>{payment}</small>
        </span>
        <a className="sale-card-button" href={localTo(to)} target="_blank" rel="noopener">
          Open<span className="visually-hidden"> {number}</span>
        </a>
      </div>
    </div>
  );
}

/** Cards of a chat with their current data. */
export interface ChatSaleCards {
  /** null until it is read. */
  data: SaleCardsData | null;
  /** Reads the data again; a failure keeps what is known. */
  refresh: () => Promise<void>;
}

/** Longest wait of a timer, ms. */
const MAX_WAIT = 3_600_000;

/**
 * Reads the cards of a chat: once it has any, with each new message, which may tell of a decision, when the page becomes
 * visible and when a hold ends.
 *
 * @param initial data that the page came with; later data replaces what is known
 */
export function useSaleCards(messages: ChatMessage[], initial: SaleCardsData | null = null): ChatSaleCards {
  const [data, setData] = useState(initial);
  useEffect(() => setData((known) => initial ?? known), [initial]);
  const { chatId, id: lastId } = messages.at(-1) ?? {};
  const isNeeded = hasSaleCards(messages);
  const refresh = useCallback(async () => {
    if (!chatId || !isNeeded) return;
    const read = await fetchCards(chatId).catch(() => null);
    if (read) setData(read);
  }, [chatId, isNeeded]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message may change what the cards show
  useEffect(() => {
    const update = () => void (document.hidden || refresh());
    update();
    document.addEventListener("visibilitychange", update);
    return () => document.removeEventListener("visibilitychange", update);
  }, [refresh, lastId]);
  useEnd(data, refresh);
  return { data, refresh };
}

async function fetchCards(chatId: string): Promise<SaleCardsData | null> {
  const answer = await fetch(`/chat/${encodeURIComponent(chatId)}/cards`, { cache: "no-store" });
  return answer.ok ? ((await answer.json()) as SaleCardsData) : null;
}

/** Interval in ms after the end of a hold by this device's clock, which may be ahead of the shop's. */
const CLOCK_RETRY = 60_000;

/** Reads the cards again when the next hold ends, until the shop says that it has ended. */
function useEnd(data: SaleCardsData | null, refresh: () => Promise<void>): void {
  const ends = (data?.holds ?? []).flatMap(({ state, endsAt }) => (state === "active" ? endsAt : []));
  const next = ends.length > 0 ? Math.min(...ends) : null;
  useEffect(() => {
    if (next === null) return;
    const wait = Math.min(Math.max(next * 1000 - Date.now() + 1000, 1000), MAX_WAIT);
    const update = () => {
      void refresh();
      timer = setTimeout(update, CLOCK_RETRY);
    };
    let timer = setTimeout(update, wait);
    return () => clearTimeout(timer);
  }, [next, refresh]);
}
