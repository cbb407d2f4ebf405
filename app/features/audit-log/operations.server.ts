import { TZDate } from "@date-fns/tz";
import { format } from "date-fns";
import { inChunks } from "~/db/lists";
import { addDays, instantAt, localDay } from "~/domain/days";
import { findStaff } from "~/features/accounts/queries.server";
import {
  actionLabel,
  authorLabel,
  fieldChanges,
  objectKind,
  objectLabel,
  rowText,
} from "~/features/audit/labels";
import { type AuditParams, objectsOf, PAGE_SIZE, parseAuditParams } from "~/features/audit/params";
import {
  type AuditFilter,
  type AuditRow,
  type Cursor,
  findAuditRows,
  findChainState,
  findRowDetails,
} from "~/features/audit/queries.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { type CsvRow, csvFile } from "~/http/streams.server";
import { redirectWithoutIgnored } from "~/records/list-page.server";
import { fieldsOf } from "./records";

/** Rows that the file reads at once. */
const CHUNK_ROWS = 1000;

/** Builds the filter of a list's URL. */
function filterOf({ filters, q }: AuditParams, timezone: string): AuditFilter {
  const { person = "", kind = "", from, to, id } = filters;
  const isUser = person.startsWith("user-");
  return {
    objects: objectsOf(kind),
    authorId: isUser ? person.slice("user-".length) : null,
    authorKind: person && !isUser ? person : null,
    objectId: id ?? null,
    q,
    from: from ? instantAt(`${from}T00:00:00`, timezone) : null,
    until: to ? instantAt(`${addDays(to, 1)}T00:00:00`, timezone) : null,
  };
}

export type AuditScreenData = ResultOf<typeof readAuditScreen>;

/** Reads a page of the audit log at its URL, for admins. */
export const readAuditScreen = operation({
  access: "admin",
  input: PageInput,
  async run({ input, ...context }) {
    const { db, settings, now } = context;
    const params = parseAuditParams(new URL(input.url).searchParams);
    redirectWithoutIgnored(context, params);
    const { cursor, dir, open } = params;
    const window = { limit: PAGE_SIZE + 1, after: cursor, dir };
    const [found, staff, chain, details] = await Promise.all([
      findAuditRows(db, filterOf(params, settings.timezone), window),
      findStaff(db),
      findChainState(db),
      open === null ? null : findRowDetails(db, open),
    ]);
    const hasMore = found.length > PAGE_SIZE;
    const rows = dir === "older" ? found.slice(0, PAGE_SIZE) : found.slice(-PAGE_SIZE);
    const openedRow = rows.find(({ seq }) => seq === open);
    const today = localDay(now, settings.timezone);
    return {
      params,
      rows: rows.map((row) => ({
        ...row,
        label: objectLabel(row, settings.businesses),
        fields: fieldChanges(row, fieldsOf(row), settings),
      })),
      older: dir === "newer" || hasMore ? cursorOf(rows.at(-1)) : null,
      newer: dir === "newer" ? (hasMore ? cursorOf(rows[0]) : null) : cursor && cursorOf(rows[0]),
      staff: staff.map(({ id, firstName, email }) => ({ id, name: firstName || email })),
      chain,
      opened: details && {
        hash: details.seals.get(open ?? 0) ?? null,
        before: details.seals.get((open ?? 0) - 1) ?? null,
        fields: openedRow ? fieldChanges(openedRow, fieldsOf(openedRow), settings, details.products) : [],
      },
      today,
      timezone: settings.timezone,
      periods: periodsBefore(today),
    };
  },
});

const cursorOf = (row: AuditRow | undefined): Cursor | null => (row ? { at: row.at, seq: row.seq } : null);

/** Lists the periods that the screen offers. @param today YYYY-MM-DD */
function periodsBefore(today: string) {
  return [
    { label: "Today", from: today, to: today },
    { label: "Last 7 days", from: addDays(today, -6), to: today },
    { label: "Last 30 days", from: addDays(today, -29), to: today },
    { label: "This year", from: `${today.slice(0, 4)}-01-01`, to: today },
  ];
}

/** Streams the rows that match the list's URL as a CSV file, newest first. */
export const auditCsv = operation({
  access: "admin",
  input: PageInput,
  run: async ({ input, ...context }) => {
    const params = parseAuditParams(new URL(input.url).searchParams);
    const name = `audit-log-${localDay(context.now, context.settings.timezone)}`;
    return csvFile(name, CSV_HEAD, csvRows(context, params));
  },
});

/** ISO 8601 with seconds and the offset from UTC. */
const CSV_TIME = "yyyy-MM-dd'T'HH:mm:ssxxx";
const CSV_HEAD = [
  "Row",
  "Time",
  "Who",
  "User",
  "User id",
  "Import or key",
  "Import or key id",
  "Action",
  "Object",
  "Name",
  "Object id",
  "Changes",
];

async function* csvRows({ db, settings }: StaffContext, params: AuditParams): AsyncGenerator<CsvRow[]> {
  const filter = filterOf(params, settings.timezone);
  const chunks = inChunks<AuditRow>(
    (after, limit) => findAuditRows(db, filter, { limit, after, dir: "older" }),
    CHUNK_ROWS,
  );
  for await (const rows of chunks)
    yield rows.map((row) => [
      row.seq,
      format(new TZDate(row.at * 1000, settings.timezone), CSV_TIME),
      authorLabel(row),
      row.authorName ?? "",
      row.authorId ?? "",
      row.sourceName ?? "",
      row.sourceId ?? "",
      actionLabel(row.action).replace(/:$/, ""),
      objectKind(row.object),
      objectLabel(row, settings.businesses),
      row.objectId,
      rowText(row, fieldsOf(row), settings),
    ]);
}
