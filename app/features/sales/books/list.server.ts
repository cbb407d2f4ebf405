import { dayAfter, instantAt, localDay, monthsWithin } from "~/features/ledger/days";
import { searchKey } from "~/features/ledger/operations/listing.server";
import { datePresets } from "~/features/ledger/page.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, settledResult } from "~/http/page.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import { type ListFilter, type Periods, readDocumentList } from "./list.queries.server";
import { parseDocumentListParams } from "./list-params";

export type DocumentsScreenData = ResultOf<typeof readDocumentsScreen>;

/** Reads the list of documents at its URL; a page past the end is the last one. */
export const readDocumentsScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const params = parseDocumentListParams(new URL(input.url).searchParams);
    const { value, message } = await settledResult(listPage(context, params));
    const { name: shopName, timezone } = context.settings;
    const common = { shopName, datePresets: datePresets(localDay(context.now, timezone)) };
    if (value) return { ...value, ...common, failure: null };
    return {
      params,
      rows: null,
      sums: null,
      total: 0,
      ...common,
      failure: `Failed to fetch documents: ${message}`,
    };
  },
});

/** Reads a page: one round trip for the first one, two for others, which are read from the nearer end. */
async function listPage({ db, settings }: StaffContext, params: ListParams) {
  const filter = listFilter(params, settings.timezone);
  const periods = filter.days && sumPeriods(filter.days);
  const { size: limit, dir, page: requested } = params;
  if (requested === 1) {
    const { rows, sums } = await readDocumentList(db, filter, periods, { limit, offset: 0, dir });
    return { params, rows, sums, total: sums.sales + sums.credits };
  }
  const { sums } = await readDocumentList(db, filter, periods, null);
  const total = sums.sales + sums.credits;
  const page = Math.min(requested, Math.max(1, Math.ceil(total / limit)));
  const rows = await readNearerEnd(db, filter, { offset: (page - 1) * limit, limit, total, dir });
  return { params: { ...params, page }, rows, sums, total };
}

interface Window {
  offset: number;
  limit: number;
  total: number;
  dir: ListParams["dir"];
}

async function readNearerEnd(db: StaffContext["db"], filter: ListFilter, window: Window) {
  const { offset, limit, total, dir } = window;
  const left = Math.min(limit, total - offset);
  if (left <= 0) return [];
  const fromEnd = total - offset - left;
  if (offset <= fromEnd) return (await readDocumentList(db, filter, null, { limit: left, offset, dir })).rows;
  const reversed = { limit: left, offset: fromEnd, dir: dir === "asc" ? "desc" : "asc" } as const;
  return (await readDocumentList(db, filter, null, reversed)).rows.toReversed();
}

const FIRST_DAY = "2000-01-01";
const LAST_DAY = "2099-12-31";
const DAY = 86_400;

function listFilter({ q, filters }: ListParams, timezone: string): ListFilter {
  const { from, to, business = null, kind = null } = filters;
  return { q: searchKey(q), business, kind, days: from || to ? dayRange(from, to, timezone) : null };
}

/** Completes a range of days with instants for the index, a day wider, since SHOP_TIMEZONE may have changed. */
function dayRange(from = FIRST_DAY, to = LAST_DAY, timezone: string) {
  const earliest = instantAt(`${from}T00:00:00`, timezone) - DAY;
  const latest = instantAt(`${dayAfter(to, 1)}T00:00:00`, timezone) + DAY;
  return { from, to, earliest, latest };
}

/** Splits days into whole months and the days around them, so that a sum reads few rows. */
function sumPeriods({ from, to }: { from: string; to: string }): Periods {
  const { months, days } = monthsWithin(from, to);
  return months ? [months, ...days] : days;
}
