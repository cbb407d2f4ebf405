import { openDb } from "~/db/client.server";
import { epochSeconds } from "~/domain/durations";
import { formatKeptUntil } from "~/domain/hold-end";
import { dayInYear, localTime } from "~/domain/local-time";
import { dollars } from "~/domain/money";
import type { ChatMessage, MessageCard } from "~/features/chat/protocol";
import { type MailBlock, pickupBlocks } from "~/http/mail.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { depositReceiptPath, receiptPath } from "../deposit";
import {
  findChatHolds,
  findChatQuotes,
  type StoredHold,
  type StoredQuote,
} from "../queries/holds-and-quotes.server";
import { findSoldProducts, type SoldProduct } from "../queries/sale.server";
import { quoteState } from "../quote-state";
import { receiptLink } from "../receipt/access.server";

/** Latest holds and quotes of a chat that are looked at. */
const MAX_READ = 20;

/** Time and settings by which the mail is written. */
interface Clock {
  now: number;
  settings: ShopSettings;
}

/**
 * Tells what a mail says below the messages that set something aside or quote: prices, until when, and where it is collected.
 * Receipts have their link. Other messages, and those of holds and quotes that are over, have nothing.
 *
 * @returns parts of the mail by the message's id
 */
export async function readMailedCards(
  env: Env,
  chatId: string,
  messages: Pick<ChatMessage, "id" | "cards">[],
): Promise<Map<string, MailBlock[]>> {
  const ids = new Set(
    messages.filter(({ id }) => /^(?:hold|quote|receipt|deposit)-/.test(id)).map(({ id }) => id),
  );
  if (ids.size === 0) return new Map();
  const { db } = openDb(env.DB);
  // The client sends them in one round trip.
  const [holds, { quotes }, settings] = await Promise.all([
    findChatHolds(db, chatId, MAX_READ),
    findChatQuotes(db, chatId, MAX_READ),
    settingsForTask(env),
  ]);
  const clock = { now: epochSeconds(), settings };
  const active = holds.filter(({ state, until }) => state === "active" && until > clock.now);
  const open = quotes.filter((quote) => quoteState(quote, clock.now) === "sent");
  const unitIds = active.flatMap(({ lines }) => lines.map(({ unitId }) => unitId));
  const units = await findSoldProducts(db, unitIds);
  const receipts = await Promise.all(
    messages.flatMap(({ id, cards = [] }) =>
      cards.flatMap((card) => {
        const path = receiptPathOf(card);
        return path ? receiptBlocks({ env, ...clock }, path).then((blocks) => [id, blocks] as const) : [];
      }),
    ),
  );
  return new Map([
    ...receipts,
    ...active.map((hold) => [messageOf(hold, ids), holdBlocks(clock, hold, units)] as const),
    ...open.map((quote) => [`quote-${quote.id}`, quoteBlocks(clock, quote)] as const),
  ]);
}

/** Returns the page of a receipt's card; null for another card. */
function receiptPathOf(card: MessageCard): string | null {
  if (card.type === "receipt") return receiptPath(card.documentId);
  return card.type === "deposit" ? depositReceiptPath(card.paymentId) : null;
}

async function receiptBlocks(context: Clock & { env: Env }, path: string): Promise<MailBlock[]> {
  const { url } = await receiptLink(context, path);
  return [{ label: "Open the receipt", href: url }];
}

/** Returns the id of the message that says until when a hold is: that of its latest change, else the first one. */
function messageOf({ id, until }: StoredHold, ids: ReadonlySet<string>): string {
  const changed = `hold-${id}-${until}`;
  return ids.has(changed) ? changed : `hold-${id}`;
}

function holdBlocks(
  { now, settings }: Clock,
  hold: StoredHold,
  units: Map<string, SoldProduct>,
): MailBlock[] {
  // A unit that was deleted has no price.
  const amounts = hold.lines.flatMap(({ unitId, quantity }) => {
    const unit = units.get(unitId);
    return unit ? quantity * unit.priceCents : [];
  });
  const isPriced = amounts.length === hold.lines.length;
  const list = hold.lines.map(({ name, quantity }, i) => {
    const amount = isPriced ? `: ${dollars(amounts[i] ?? 0)}` : "";
    return `${quantity} × ${name}${amount}`;
  });
  const total = amounts.reduce((sum, cents) => sum + cents, 0);
  return [
    { list: isPriced && list.length > 1 ? [...list, `Together: ${dollars(total)}`] : list },
    `Kept for you until ${formatKeptUntil(hold.until, now, settings)}. Nothing is charged: you pay when you collect.`,
    ...pickupBlocks(settings),
  ];
}

function quoteBlocks({ now, settings }: Clock, quote: StoredQuote): MailBlock[] {
  const { lines, totalCents, note, readyBy, validUntil } = quote;
  const today = localTime(now, settings.timezone);
  const list = lines.map(({ description, material, size, quantity, amountCents }) => {
    const text = [description, material, size].filter(Boolean).join(", ");
    return `${quantity} × ${text}: ${dollars(amountCents)}`;
  });
  const ready = readyBy
    ? `Ready ${dayInYear(localTime(Date.parse(`${readyBy}T12:00:00Z`) / 1000, "UTC"), today)} if you accept. `
    : "";
  const valid = dayInYear(localTime(validUntil, settings.timezone), today);
  return [
    { list: [...list, `Together: ${dollars(totalCents)}`] },
    ...(note ? [{ quote: note }] : []),
    `${ready}Accept or decline it in the conversation until ${valid}.`,
    ...pickupBlocks(settings),
  ];
}
