import type { Db } from "~/db/client.server";
import { searchKey } from "~/db/search-key";
import { operation, type ResultOf } from "~/http/operation.server";
import { PageInput, resultOrNull, settledResult } from "~/http/page.server";
import { type ListParams, pageCount, readDialog } from "~/ui/DataTable/list-params";
import { formatDate } from "~/ui/dates";
import {
  type CustomerListRow,
  countOpen,
  MAX_COUNTED,
  ROW_COLUMNS,
  readCustomerList,
} from "./list.queries.server";
import { OPEN_FILTERS, parseCustomerListParams } from "./list-params";

export type CustomersScreenData = ResultOf<typeof readCustomersScreen>;
export type CustomerListView = ReturnType<typeof rowView>;

/** Reads the list of customers at its URL; a page past the end is the last one. */
export const readCustomersScreen = operation({
  access: "staff",
  input: PageInput,
  async run({ input, db, settings: { timezone } }) {
    const { searchParams } = new URL(input.url);
    const params = parseCustomerListParams(searchParams);
    const [{ value, message }, counts] = await Promise.all([
      settledResult(readPage(db, params)),
      resultOrNull(countOpen(db)),
    ]);
    const common = {
      isAdding: readDialog(searchParams)?.id === "new",
      newId: crypto.randomUUID(),
      counts: {
        all: value ? value.all.toLocaleString("en") : null,
        held: counted(counts?.held),
        quote: counted(counts?.quote),
      },
    };
    const failure = `Failed to fetch customers: ${message}`;
    if (!value) return { params, rows: null, total: 0, ...common, failure };
    const rows = value.rows.map((row) => rowView(row, timezone));
    return { params: { ...params, page: value.page }, rows, total: value.total, ...common, failure: null };
  },
});

/** Formats a number that is counted up to MAX_COUNTED. */
const counted = (count = 0) => (count < MAX_COUNTED ? String(count) : `${MAX_COUNTED - 1}+`);

async function readPage(db: Db, { q, sort, dir, page, size, filters }: ListParams) {
  const query = {
    q: searchKey(q),
    open: OPEN_FILTERS.find((name) => name === filters.open),
    sort: sort === "name" ? "name" : "lastSeen",
    dir,
    limit: size,
  } as const;
  const read = (at: number) =>
    readCustomerList<CustomerListRow>(db, { ...query, offset: (at - 1) * size }, ROW_COLUMNS);
  const found = await read(page);
  const last = pageCount(found.total, size);
  return page <= last ? { ...found, page } : { ...(await read(last)), page: last };
}

/** Formats a date without its year, so that a row of the list has one line: `23rd Nov`. */
const shortDate = (seconds: number, timezone: string) => formatDate(seconds, timezone).replace(/ \d{4}$/, "");

function rowView({ lastSeen, heldUntil, quoteUntil, ...row }: CustomerListRow, timezone: string) {
  return {
    ...row,
    lastSeen: formatDate(lastSeen, timezone),
    heldUntil: heldUntil === null ? null : shortDate(heldUntil, timezone),
    quoteUntil: quoteUntil === null ? null : shortDate(quoteUntil, timezone),
  };
}
