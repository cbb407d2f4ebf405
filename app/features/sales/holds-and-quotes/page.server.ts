import { formatNearDay } from "~/domain/day-text";
import { localDay } from "~/domain/days";
import { BUSINESSES } from "~/domain/enums";
import { formatEnd } from "~/domain/hold-end";
import { consoleUrl } from "~/features/chat/console-params";
import { visitorLabel } from "~/features/chat/visitor-label";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { readListPage } from "~/records/list-page.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import { formatRecentDate } from "~/ui/format";
import { HOLD_STATES } from "../document";
import { holdState } from "../operations/holds.server";
import {
  countLists,
  findHeldCents,
  HOLD_ROW,
  type HoldRow,
  holdReads,
  type ListCounts,
  MAX_NAMED,
  type Person,
  QUOTE_ROW,
  type QuoteRow,
  quoteReads,
} from "../queries/hold-quote-list.server";
import { QUOTE_STATES, quoteState } from "../quote-state";
import { customerPath, parseHoldListParams, parseQuoteListParams } from "../urls";

export type HoldsScreenData = ResultOf<typeof readHoldsScreen>;
export type QuotesScreenData = ResultOf<typeof readQuotesScreen>;
export type HoldView = ReturnType<typeof holdView>;
export type QuoteView = ReturnType<typeof quoteView>;

/** Rows that a list counts where no count is stored. */
const MAX_LISTED = 1000;
/** Open ones that the pill counts. */
const MAX_COUNTED = 50;

/** Reads the list of holds at its URL. */
export const readHoldsScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const params = parseHoldListParams(new URL(input.url).searchParams);
    const [{ value, message }, counts] = await Promise.all([
      settledResult(holdPage(context, params)),
      resultOrNull(countLists(context.db, "hold", MAX_COUNTED)),
    ]);
    const common = { counts: countTexts(counts) };
    if (!value)
      return { params, rows: null, total: 0, ...common, failure: `Failed to fetch holds: ${message}` };
    return { ...value, rows: value.rows.map((row) => holdView(row, context)), ...common, failure: null };
  },
});

async function holdPage(context: StaffContext, params: ListParams) {
  const state = HOLD_STATES.find((name) => name === params.filters.state);
  const filter = { q: params.q, state, maxCounted: MAX_LISTED };
  return readListPage(context, params, await holdReads(context.db, filter, HOLD_ROW));
}

/** Reads the list of quotes at its URL. */
export const readQuotesScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const params = parseQuoteListParams(new URL(input.url).searchParams);
    const [{ value, message }, counts, heldCents] = await Promise.all([
      settledResult(quotePage(context, params)),
      resultOrNull(countLists(context.db, "quote", MAX_COUNTED)),
      params.filters.state === "deposit"
        ? resultOrNull(findHeldCents(context.db, businessOf(params), MAX_LISTED))
        : null,
    ]);
    const { businesses: businessNames } = context.settings;
    const common = { counts: countTexts(counts), heldCents, businessNames };
    if (!value)
      return { params, rows: null, total: 0, ...common, failure: `Failed to fetch quotes: ${message}` };
    return { ...value, rows: value.rows.map((row) => quoteView(row, context)), ...common, failure: null };
  },
});

/** Reads the business of the listed deposits; undefined for both. */
const businessOf = ({ filters }: ListParams) => BUSINESSES.find((name) => name === filters.business);

async function quotePage(context: StaffContext, params: ListParams) {
  const state = ([...QUOTE_STATES, "deposit"] as const).find((name) => name === params.filters.state);
  const filter = { q: params.q, state, business: businessOf(params), maxCounted: MAX_LISTED };
  return readListPage(context, params, await quoteReads(context.db, filter, QUOTE_ROW));
}

const countTexts = (counts: ListCounts | null) =>
  counts && {
    all: counts.all.toLocaleString("en"),
    open: counts.open < MAX_COUNTED ? String(counts.open) : `${MAX_COUNTED - 1}+`,
  };

/** Names the visitor of a chat as the person of something. */
export const visitorOf = (chat: { id: string; userName: string; createdAt: number }): Person => ({
  ...{ chatId: chat.id, customerId: null, customerName: null },
  visitor: [chat.userName, chat.createdAt],
});

/** Names the person of a hold or quote, with the page that tells more: the customer's, else the chat. */
export function personView({ chatId, customerId, customerName, visitor }: Person, timezone: string) {
  const chatUrl = chatId && consoleUrl({ chat: chatId });
  const [name, began] = visitor ?? ["", 0];
  return {
    name: customerName ?? (chatId ? visitorLabel({ chatId, name, began }, timezone) : "At the counter"),
    to: customerId && customerName !== null ? customerPath(customerId) : chatUrl,
    chatUrl,
  };
}

/** Names the first lines of a hold. */
export function itemsText(items: HoldRow["items"]): string {
  const names = items.slice(0, MAX_NAMED).map(({ quantity, name }) => `${quantity} × ${name}`);
  return names.join(", ") + (items.length > MAX_NAMED ? " and more" : "");
}

/** Builds the row of a hold. */
export function holdView(row: HoldRow, { now, settings }: Pick<StaffContext, "now" | "settings">) {
  const { id, until, createdBy, documentId, number, items } = row;
  return {
    ...{ id, createdBy, documentId, number },
    ...personView(row, settings.timezone),
    state: holdState(row, now),
    items: itemsText(items),
    until: formatEnd(until, now, settings),
  };
}

/** Builds the row of a quote. */
export function quoteView(row: QuoteRow, { now, settings }: Pick<StaffContext, "now" | "settings">) {
  const today = localDay(now, settings.timezone);
  const day = (at: number) => formatRecentDate(at, settings.timezone, today);
  const { id, title, totalCents, paidCents, addedTax, readyBy, documentId, number } = row;
  return {
    ...{ id, title, totalCents, paidCents, addedTax, readyBy, documentId, number },
    ...personView(row, settings.timezone),
    state: quoteState(row, now),
    ready: readyBy && formatNearDay(readyBy, today),
    sent: day(row.createdAt),
    until: day(row.validUntil),
    readySince: row.readyAt === null ? null : day(row.readyAt),
  };
}
