import { openDb } from "~/db/client.server";
import { type BusinessTax, findBusinessTaxes } from "~/db/tax-rules.server";
import { epochSeconds } from "~/domain/durations";
import { businessOf } from "~/domain/enums";
import { formatKeptUntil } from "~/domain/hold-end";
import { dayInYear, localTime } from "~/domain/local-time";
import { dollars } from "~/domain/money";
import type { ChatMessage, MessageCard } from "~/features/chat/protocol";
import { type MailBlock, pickupBlocks } from "~/http/mail.server";
import { type ShopSettings, settingsForTask } from "~/http/shop-settings.server";
import { beforeTax, depositReceiptPath, receiptPath } from "../deposit";
import {
  findChatHolds,
  findChatQuotes,
  type StoredHold,
  type StoredQuote,
} from "../queries/holds-and-quotes.server";
import { findSoldProducts, type SoldProduct } from "../queries/sale.server";
import { quoteState } from "../quote-state";
import { receiptLink, receiptLinkNote } from "../receipt/access.server";
import { unitIdOf } from "../schema";
import { sum } from "../tax";

/** Latest holds and quotes of a chat that are looked at. */
const MAX_READ = 20;

/** Time and settings by which the mail is written. */
interface Clock {
  now: number;
  settings: ShopSettings;
}

/** Units of the lines, by id, and the taxes by which their sale will be recorded. */
interface Prices {
  units: Map<string, SoldProduct>;
  taxes: BusinessTax[];
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
  const [holds, { quotes }, settings, taxes] = await Promise.all([
    findChatHolds(db, chatId, MAX_READ),
    findChatQuotes(db, chatId, MAX_READ),
    settingsForTask(env),
    findBusinessTaxes(db),
  ]);
  const clock = { now: epochSeconds(), settings };
  const active = holds.filter(({ state, until }) => state === "active" && until > clock.now);
  const open = quotes.filter((quote) => quoteState(quote, clock.now) === "sent");
  const unitIds = [...active, ...open].flatMap(({ lines }) => lines.flatMap((line) => unitIdOf(line) ?? []));
  const prices = { units: await findSoldProducts(db, unitIds), taxes };
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
    ...active.map((hold) => [messageOf(hold, ids), holdBlocks(clock, hold, prices)] as const),
    ...open.map((quote) => [`quote-${quote.id}`, quoteBlocks(clock, quote, prices)] as const),
  ]);
}

/** Returns the page of a receipt's card; null for another card. */
function receiptPathOf(card: MessageCard): string | null {
  if (card.type === "receipt") return receiptPath(card.documentId);
  return card.type === "deposit" ? depositReceiptPath(card.paymentId) : null;
}

async function receiptBlocks(context: Clock & { env: Env }, path: string): Promise<MailBlock[]> {
  const link = await receiptLink(context, path);
  const note = receiptLinkNote("receipt", link, context.settings.timezone);
  return [{ label: "Open the receipt", href: link.url }, note];
}

/** Line of a hold or a quote. */
type Line = { productId?: string | undefined; unitId?: string | undefined };

/** Says after an amount which taxes its sale will add, by the businesses of its lines. Those of no product are engravings. */
function beforeTaxes(lines: Line[], { units, taxes }: Prices): string {
  const businesses = lines.map((line) => {
    const unit = units.get(unitIdOf(line) ?? "");
    return unit ? businessOf(unit.category) : "LASER";
  });
  const added = taxes.filter(({ business, isIncluded }) => isIncluded === 0 && businesses.includes(business));
  const names = [...new Set(added.map(({ name }) => name))];
  return beforeTax(names.length > 0 ? names.join(" and ") : null);
}

/** Returns the id of the message that says until when a hold is: that of its latest change, else the first one. */
function messageOf({ id, until }: StoredHold, ids: ReadonlySet<string>): string {
  const changed = `hold-${id}-${until}`;
  return ids.has(changed) ? changed : `hold-${id}`;
}

function holdBlocks({ now, settings }: Clock, hold: StoredHold, prices: Prices): MailBlock[] {
  return [
    { list: heldLines(hold.lines, prices) },
    `Kept for you until ${formatKeptUntil(hold.until, now, settings)}. Nothing is charged: you pay when you collect.`,
    ...pickupBlocks(settings),
  ];
}

/** Lists what is set aside, with its prices unless a unit was deleted, which has none. */
function heldLines(lines: StoredHold["lines"], prices: Prices): string[] {
  const names = lines.map(({ name, quantity }) => `${quantity} × ${name}`);
  const amounts = lines.flatMap(({ unitId, quantity }) => {
    const unit = prices.units.get(unitId);
    return unit ? quantity * unit.priceCents : [];
  });
  if (amounts.length < lines.length) return names;
  const priced = names.map((name, i) => `${name}: ${dollars(amounts[i] ?? 0)}`);
  const tax = beforeTaxes(lines, prices);
  return priced.length > 1
    ? [...priced, `Together: ${dollars(sum(amounts))}${tax}`]
    : priced.map((line) => line + tax);
}

function quoteBlocks({ now, settings }: Clock, quote: StoredQuote, prices: Prices): MailBlock[] {
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
    { list: [...list, `Together: ${dollars(totalCents)}${beforeTaxes(lines, prices)}`] },
    ...(note ? [{ quote: note }] : []),
    `${ready}Accept or decline it in the conversation until ${valid}.`,
    ...pickupBlocks(settings),
  ];
}
