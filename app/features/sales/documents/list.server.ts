import { localDay } from "~/features/ledger/days";
import { datePresets } from "~/features/ledger/page.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, settledResult } from "~/http/page.server";
import type { ListParams } from "~/ui/DataTable/list-params";
import { documentFilter } from "../documents.server";
import { type ListFilter, type Page, ROW_COLUMNS, readDocumentList, toRow } from "./list.queries.server";
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
  const { size: limit, dir, page: requested, q, filters } = params;
  const filter = documentFilter({ q, ...filters }, settings.timezone);
  if (requested === 1) {
    const first = { limit, offset: 0, dir, columns: ROW_COLUMNS };
    const { rows, sums } = await readDocumentList(db, filter, first);
    return { params, rows: rows.map(toRow), sums, total: sums.sales + sums.credits };
  }
  const { sums } = await readDocumentList(db, filter, null);
  const total = sums.sales + sums.credits;
  const page = Math.min(requested, Math.max(1, Math.ceil(total / limit)));
  const rows = await readNearerEnd(db, filter, { offset: (page - 1) * limit, limit, total, dir });
  return { params: { ...params, page }, rows, sums, total };
}

interface Window extends Omit<Page, "columns"> {
  total: number;
}

async function readNearerEnd(db: StaffContext["db"], filter: ListFilter, window: Window) {
  const { offset, limit, total, dir } = window;
  const left = Math.min(limit, total - offset);
  if (left <= 0) return [];
  const read = async (part: Omit<Page, "limit" | "columns">) =>
    (await readDocumentList(db, filter, { ...part, limit: left, columns: ROW_COLUMNS })).rows.map(toRow);
  const fromEnd = total - offset - left;
  if (offset <= fromEnd) return read({ offset, dir });
  return (await read({ offset: fromEnd, dir: dir === "asc" ? "desc" : "asc" })).toReversed();
}
