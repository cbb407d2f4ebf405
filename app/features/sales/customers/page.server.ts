import { TZDate } from "@date-fns/tz";
import { format } from "date-fns";
import { foldText, searchKey } from "~/db/text";
import { localDay } from "~/domain/days";
import { formatEnd, formatUntil } from "~/domain/hold-end";
import { recentChanges } from "~/features/audit/operations.server";
import { consoleUrl } from "~/features/chat/console-params";
import { visitorLabel } from "~/features/chat/visitor-label";
import { AppError } from "~/http/errors";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { readListPage } from "~/records/list-page.server";
import { type ListParams, readDialog } from "~/ui/DataTable/list-params";
import { formatDate, formatDateTime } from "~/ui/format";
import { CUSTOMER } from "../customer";
import {
  type CustomerListRow,
  countOpen,
  countUnlinked,
  customerReads,
  findUnlinked,
  MAX_COUNTED,
  MAX_MATCHES,
  ROW_COLUMNS,
  type UnlinkedRow,
} from "../queries/customer-list.server";
import {
  findCustomerDetails,
  findTimeline,
  MAX_OPEN,
  type TimelineRow,
} from "../queries/customer-page.server";
import {
  CUSTOMER_COLUMNS,
  type CustomerRow,
  findCustomer,
  type StoredCustomer,
} from "../queries/customers.server";
import { PathId } from "../schema";
import { CUSTOMERS_PATH, OPEN_FILTERS, parseCustomerListParams, recordUrl, UNLINKED } from "../urls";

export type CustomerPage = ResultOf<typeof readCustomerPage>;
export type TimelineMonth = ReturnType<typeof byMonth>[number];

/** Entries of the timeline at first, and added by each "Show older". */
const TIMELINE_STEP = 20;
const MAX_TIMELINE = 600;

/** Reads a customer's page. @throws AppError notFound */
export const readCustomerPage = operation({
  access: "staff",
  input: PageInput.extend(PathId.shape),
  async run({ input, ...context }) {
    const { db, settings } = context;
    const { timezone } = settings;
    const { searchParams } = new URL(input.url);
    const customer = await findCustomer(db, input.id);
    if (!customer) throw new AppError("notFound", "Customer not found");
    const shown = Math.min(
      MAX_TIMELINE,
      Math.max(TIMELINE_STEP, Math.trunc(Number(searchParams.get("show"))) || 0),
    );
    const [details, timeline, merge, changes] = await Promise.all([
      findCustomerDetails(db, customer),
      findTimeline(db, customer.id, { limit: shown + 1, offset: 0 }),
      readMerge(context, customer.id, searchParams),
      recentChanges(context, customer.id, CUSTOMER.fields),
    ]);
    const { requestHash: _, createdAt, lastSeen, ...fields } = customer;
    return {
      heading: { title: customer.name, trail: [{ to: CUSTOMERS_PATH, title: "Customers" }] },
      customer: {
        ...fields,
        since: formatDate(createdAt, timezone),
        lastSeen: formatDate(lastSeen, timezone),
      },
      ...shownDetails(details, context),
      timeline: byMonth(timeline.slice(0, shown), timezone),
      older: timeline.length > shown && shown < MAX_TIMELINE ? shown + TIMELINE_STEP : null,
      isEditing: searchParams.has("edit"),
      isAdmin: context.user.isAdmin,
      merge,
      changes,
    };
  },
});

type Details = Awaited<ReturnType<typeof findCustomerDetails>>;

function shownDetails({ holds, quotes, chats, sums, duplicates }: Details, context: StaffContext) {
  const { timezone } = context.settings;
  return {
    hasMoreOpen: holds.length > MAX_OPEN || quotes.length > MAX_OPEN,
    holds: holds.slice(0, MAX_OPEN).map(({ until, createdAt, ...hold }) => ({
      ...hold,
      until: formatUntil(until, context.now, context.settings),
      placed: formatDateTime(createdAt, timezone),
    })),
    quotes: quotes.slice(0, MAX_OPEN).map(({ validUntil, ...quote }) => ({
      ...quote,
      validUntil: formatDate(validUntil, timezone),
    })),
    chats: chats.map(({ at, ...chat }) => ({ ...chat, at: formatDate(at, timezone) })),
    sums: { ...sums, lastSale: sums.lastSale === null ? null : formatDate(sums.lastSale, timezone) },
    duplicates: duplicates.map(otherView),
  };
}

/** Groups a timeline by month, newest first. */
function byMonth(rows: TimelineRow[], timezone: string) {
  const local = (at: number) => new TZDate(at * 1000, timezone);
  const groups = Map.groupBy(rows, ({ at }) => format(local(at), "MMMM yyyy"));
  return [...groups].map(([month, entries]) => ({
    month,
    entries: entries.map(({ at, ...entry }) => ({ ...entry, day: format(local(at), "do, HH:mm") })),
  }));
}

const MAX_CANDIDATES = 8;

/** Picks what the page shows of another customer, who may be the same person. */
const otherView = <Row extends CustomerRow>({
  requestHash: _,
  createdAt: _created,
  lastSeen: _seen,
  ...customer
}: Row) => customer;
type OtherCustomer = Omit<CustomerRow, "requestHash" | "createdAt" | "lastSeen">;

/** Candidates for a merge, or the two customers of one. */
export type Merge = {
  q: string;
  candidates: OtherCustomer[];
  other: (OtherCustomer & Pick<StoredCustomer, "hasAccount">) | null;
};

/** Reads the merge dialog: `?merge=` searches another customer, `?merge={id}` compares the two. */
async function readMerge({ db }: StaffContext, id: string, params: URLSearchParams): Promise<Merge | null> {
  const otherId = params.get("merge");
  if (otherId === null) return null;
  const q = (params.get("q") ?? "").toWellFormed().trim().slice(0, 100);
  const other = otherId && otherId !== id ? await findCustomer(db, otherId.slice(0, 64)) : undefined;
  if (other || !q) return { q, candidates: [], other: other ? otherView(other) : null };
  const query = { q, sort: "lastSeen", maxMatches: MAX_MATCHES } as const;
  const reads = customerReads<CustomerRow>(db, query, CUSTOMER_COLUMNS);
  const rows = await reads.rows({ limit: MAX_CANDIDATES + 1, offset: 0, dir: "desc" }, null);
  return {
    q,
    candidates: rows
      .filter((row) => row.id !== id)
      .slice(0, MAX_CANDIDATES)
      .map(otherView),
    other: null,
  };
}

export type CustomersScreenData = ResultOf<typeof readCustomersScreen>;
export type CustomerListView = ReturnType<typeof rowView>;

/** Reads the list of customers at its URL. */
export const readCustomersScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { db, now, settings } = context;
    const { searchParams } = new URL(input.url);
    const params = parseCustomerListParams(searchParams);
    const isUnlinked = params.filters.open === UNLINKED;
    const [{ value, message }, unlinked, counts] = await Promise.all([
      settledResult(readPage(context, isUnlinked ? { ...params, page: 1 } : params)),
      isUnlinked ? settledResult(readUnlinked(context, params)) : null,
      resultOrNull(countOpen(db)),
    ]);
    const common = {
      isAdding: readDialog(searchParams)?.id === "new",
      newId: crypto.randomUUID(),
      unlinked: unlinked && (unlinked.value ?? { rows: null, total: 0, params }),
      counts: {
        all: value ? `${value.all.toLocaleString("en")}${isPartial(value, params) ? "+" : ""}` : null,
        held: cappedCount(counts?.held),
        quote: cappedCount(counts?.quote),
        unlinked: cappedCount(counts?.unlinked),
      },
    };
    const failed = message ?? unlinked?.message ?? null;
    const failure = failed && `Failed to fetch customers: ${failed}`;
    if (!value) return { params, rows: null, total: 0, ...common, failure, maxMatches: null };
    const rows = value.rows.map((row) => rowView(row, now, settings));
    const maxMatches = isPartial(value, params) ? MAX_MATCHES : null;
    return { params: value.params, rows, total: value.total, ...common, failure, maxMatches };
  },
});

/** Tells whether a search may have more matches than were read. */
const isPartial = ({ all }: { all: number }, { q }: ListParams) => q !== "" && all >= MAX_MATCHES;

/** Holds and quotes without a customer among which a search looks. */
const MAX_SEARCHED = 1000;

/** Reads a page of what is open without a customer; a search compares names and titles. */
async function readUnlinked(context: StaffContext, params: ListParams) {
  const { db, now, settings } = context;
  const read = async (window: { limit: number; offset: number }) =>
    (await findUnlinked(db, window)).map((row) => unlinkedView(row, now, settings));
  if (!params.q)
    return readListPage(context, params, {
      isOneWay: true,
      rows: read,
      matches: async () => ({ total: await countUnlinked(db) }),
    });
  const q = searchKey(params.q);
  const found = (await read({ limit: MAX_SEARCHED, offset: 0 })).filter(({ name, title }) =>
    foldText(`${name} ${title}`).includes(q),
  );
  return readListPage(context, params, {
    isOneWay: true,
    rows: async ({ limit, offset }) => found.slice(offset, offset + limit),
    matches: async () => ({ total: found.length }),
  });
}

const unlinkedView = (
  { kind, id, chatId, userName, began, title, until }: UnlinkedRow,
  now: number,
  settings: StaffContext["settings"],
) => ({
  id,
  to: chatId ? consoleUrl({ chat: chatId }) : recordUrl({ holdId: id }),
  name: chatId
    ? visitorLabel({ chatId, name: userName ?? "", began: began ?? 0 }, settings.timezone)
    : "At the counter",
  title,
  isAccepted: until === null,
  state:
    until === null
      ? "Quote accepted"
      : kind === "held"
        ? `Set aside until ${formatEnd(until, now, settings)}`
        : `Quote until ${shortDate(until, settings.timezone)}`,
});
export type UnlinkedView = ReturnType<typeof unlinkedView>;

/** Formats a number that is counted up to MAX_COUNTED. */
const cappedCount = (count = 0) => (count < MAX_COUNTED ? String(count) : `${MAX_COUNTED - 1}+`);

function readPage(context: StaffContext, params: ListParams) {
  const { q, sort, filters } = params;
  const query = {
    q,
    open: OPEN_FILTERS.find((name) => name === filters.open),
    sort: sort === "name" ? "name" : "lastSeen",
    maxMatches: MAX_MATCHES,
  } as const;
  return readListPage(context, params, customerReads<CustomerListRow>(context.db, query, ROW_COLUMNS));
}

/** Formats a date without its year, so that a row of the list has one line: `23rd Nov`. */
const shortDate = (seconds: number, timezone: string) => formatDate(seconds, timezone).replace(/ \d{4}$/, "");

function rowView(
  { lastSeen, heldUntil, quoteUntil, ...row }: CustomerListRow,
  now: number,
  settings: StaffContext["settings"],
) {
  const { timezone } = settings;
  const year = (at: number) => localDay(at, timezone).slice(0, 4);
  const seen = year(lastSeen) === year(now) ? shortDate : formatDate;
  return {
    ...row,
    lastSeen: seen(lastSeen, timezone),
    heldUntil: heldUntil === null ? null : formatEnd(heldUntil, now, settings),
    quoteUntil: quoteUntil === null ? null : shortDate(quoteUntil, timezone),
  };
}
