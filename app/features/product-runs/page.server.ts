import { categoryName } from "~/domain/category-name";
import { grouped } from "~/domain/grouped";
import { OTHER_FORMAT, shortenedPair } from "~/domain/text-difference";
import { plainText } from "~/features/catalogue/rich-text.server";
import { id } from "~/http/fields";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { formatDate, formatDateTime } from "~/ui/format";
import { choicesBetween } from "./choices";
import { withNames } from "./names.server";
import { judgedCounts, requireRun, undoEnd, undoRefusal } from "./operations.server";
import { KEPT_FIELDS } from "./queries/changes.server";
import { findRun, findRuns, findUndo, type ImportRun, type ListedRun } from "./queries/runs.server";
import { type ChangeRow, findChanges, findJudged, judgeChanges } from "./queries/undo.server";
import {
  countsOfRun,
  describeRun,
  OUTCOME_NAMES,
  OUTCOMES,
  type Outcome,
  type OutcomeCounts,
  resultOf,
  runPath,
  runTitle,
  sumOf,
  UNDO_OUTCOMES,
  undoHeading,
  undoPath,
} from "./runs";
import { describeStaying, fieldText, type Staying, valuesOf } from "./staying.server";

export type RunPage = ResultOf<typeof readRunPage>;
export type UndoPage = ResultOf<typeof readUndoPage>;
export type ListedChange = RunPage["rows"][number];
export type ChangesList = Pick<RunPage, "tabs" | "rows" | "pager">;

const PAGE_SIZE = 10;
const MAX_LISTED_RUNS = 10;
const PRODUCTS = { to: "/admin/products-management", title: "Products" };
const UPLOADS = { to: "/admin/products-management?dialog=bulk-upload", title: "Bulk Upload" };

const RunInput = PageInput.extend({ id });

/** Reads the page of a run: what it changed, and what became of that since. @throws AppError notFound */
export const readRunPage = operation({
  access: "staff",
  input: RunInput,
  async run({ input, ...context }) {
    const { db, settings } = context;
    const run = await requireRun(context, input.id);
    const list = listOf(input.url, countsOfRun(run), run.kind === "undo" ? UNDO_OUTCOMES : OUTCOMES);
    const [undo, undone, changes, runs] = await Promise.all([
      findUndo(db, run.id),
      run.undoes === null ? null : findRun(db, run.undoes),
      findChanges(db, run.id, list.outcomes, list.window),
      findRuns(db, MAX_LISTED_RUNS),
    ]);
    const refusal = await undoRefusal(context, run, undo ?? null);
    const until = formatDate(undoEnd(run), settings.timezone);
    return {
      heading: { title: titleOf(run, settings.timezone), trail: [PRODUCTS, UPLOADS] },
      run: runFacts(run, settings.timezone),
      summary: describeRun(run),
      undone: undone ? { to: runPath(undone.id), title: titleOf(undone, settings.timezone) } : null,
      undo: undo ? runPath(undo.id) : null,
      refusal: refusal?.message ?? null,
      until,
      ...list,
      rows: await listedChanges(context, { run, undo, undone }, await withNames(db, changes)),
      runs: runs.map((each) => listedRun(each, context)),
    };
  },
});

/** Reads what an undo of a run would do. @throws AppError notFound */
export const readUndoPage = operation({
  access: "staff",
  input: RunInput,
  async run({ input, ...context }) {
    const { db, settings } = context;
    const run = await requireRun(context, input.id);
    const title = titleOf(run, settings.timezone);
    const refusal = await undoRefusal(context, run);
    if (refusal && refusal.code !== "conflict") throw refusal;
    const counts = await judgedCounts(context, run.id);
    const list = listOf(input.url, counts, UNDO_OUTCOMES);
    const judged = await judgeChanges(db, await findJudged(db, run.id, list.outcomes, list.window));
    const changes = await withNames(db, judged);
    const staying = await describeStaying(context, changes, periodOf(context, run), [run.id]);
    return {
      heading: {
        title: undoHeading(run),
        trail: [PRODUCTS, UPLOADS, { to: runPath(run.id), title: shortName(run) }],
      },
      run: runFacts(run, settings.timezone),
      title,
      refusal: refusal?.message ?? null,
      total: sumOf(counts) - counts.stayed,
      ...list,
      rows: changes.map((change) => listedChange(change, staying.get(change.row) ?? [], true)),
    };
  },
});

/** Characters of a file's name in the way back, which stands in one line on a phone. */
const MAX_SHORT = 18;
const shortName = ({ fileName }: ImportRun) =>
  fileName.length > MAX_SHORT ? `${fileName.slice(0, MAX_SHORT - 1)}…` : fileName;

const titleOf = (run: ImportRun, timezone: string) => runTitle(run, formatDate(run.startedAt, timezone));

function runFacts({ id, kind, state, fileName, userName, rejected, ...run }: ImportRun, timezone: string) {
  const at = formatDateTime(run.finishedAt ?? run.startedAt, timezone);
  return { id, kind, state, fileName, userName, rejected, at, undoPath: undoPath(id) };
}

const periodOf = ({ now }: StaffContext, { startedAt }: ImportRun) => ({ from: startedAt, until: now + 1 });

/** Reads the tab and the page of a list of changes from its address. */
function listOf(address: string, counts: OutcomeCounts, labels: Record<Outcome, string>) {
  const { pathname, searchParams } = new URL(address);
  const shown = OUTCOME_NAMES.find((name) => name === searchParams.get("show")) ?? null;
  const outcomes = shown ? [shown] : OUTCOME_NAMES.filter((name) => counts[name] > 0);
  const total = shown ? counts[shown] : sumOf(counts);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(searchParams.get("page"))) || 1));
  const url = (name: Outcome | null, to = 1) => {
    const query = new URLSearchParams({ ...(name && { show: name }), ...(to > 1 && { page: String(to) }) });
    return query.size > 0 ? `${pathname}?${query}` : pathname;
  };
  const tab = (name: Outcome | null, label: string, count: number) => ({
    ...{ label, count: grouped(count), to: url(name) },
    isShown: name === shown,
  });
  const window = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE };
  return {
    outcomes: outcomes.length > 0 ? outcomes : OUTCOME_NAMES,
    window,
    tabs: [
      tab(null, "All", sumOf(counts)),
      ...OUTCOME_NAMES.flatMap((name) => (counts[name] > 0 ? [tab(name, labels[name], counts[name])] : [])),
    ],
    pager: {
      ...{
        from: Math.min(total, window.offset + 1),
        to: Math.min(total, page * PAGE_SIZE),
        total,
        page,
        pages,
      },
      previous: page > 1 ? url(shown, page - 1) : null,
      next: page < pages ? url(shown, page + 1) : null,
    },
  };
}

interface RelatedRuns {
  run: ImportRun;
  undo: ImportRun | undefined;
  undone: ImportRun | null | undefined;
}

/** Lists changes with what somebody has changed since, or of an undo with what it left. */
async function listedChanges(
  context: StaffContext,
  { run, undo, undone }: RelatedRuns,
  changes: ChangeRow[],
) {
  if (undone) {
    const period = { from: undone.startedAt, until: run.finishedAt ?? context.now };
    const staying = await describeStaying(context, changes, period, [undone.id, run.id]);
    return changes.map((change) => listedChange(change, staying.get(change.row) ?? [], true));
  }
  if (undo) return changes.map((change) => listedChange(change, [], false));
  const rows = changes.map(({ row }) => row);
  const judged = await judgeChanges(context.db, rows);
  const staying = await describeStaying(context, judged, periodOf(context, run), [run.id]);
  const sold = new Map(judged.map((change) => [change.row, change.sold]));
  return changes.map((change) => {
    const since = staying.get(change.row) ?? [];
    const isTold = since.some(({ reason }) => reason.endsWith(" sold"));
    const pieces = isTold ? 0 : (sold.get(change.row) ?? 0);
    return listedChange(change, pieces > 0 ? [...since, soldSince(pieces)] : since, false);
  });
}

/** Pieces that were sold since, which an undo leaves sold. */
function soldSince(pieces: number): Staying {
  const label = `${grouped(pieces)} sold`;
  return { label, reason: label, by: "" };
}

function listedChange(change: ChangeRow, staying: Staying[], isUndo: boolean) {
  const [before, after] = [valuesOf(change.before), valuesOf(change.after)];
  const { row, outcome } = change;
  const name = change.name ?? "Deleted product";
  return {
    ...{ row, outcome: outcome as Outcome, name, staying },
    changes: before && after && outcome !== "hidden" ? fieldsBetween(before, after) : [],
    summary: summaryOf(outcome, before ?? after ?? {}, isUndo),
  };
}

/** Lists the fields in which two states differ, as readers see them. */
function fieldsBetween(before: Record<string, unknown>, after: Record<string, unknown>) {
  const fields = KEPT_FIELDS.flatMap(({ column, field }) => {
    if (!(column in after)) return [];
    const [from, to] =
      column === "description"
        ? shortenedPair(descriptionOf(before), descriptionOf(after))
        : [fieldText(column, before[column]), fieldText(column, after[column])];
    return [{ label: field.label, from: from || "none", to: from === to ? OTHER_FORMAT : to || "none" }];
  });
  return [...fields, ...choicesBetween(before, after)];
}

const descriptionOf = ({ description }: Record<string, unknown>) => plainText(String(description ?? ""));

function summaryOf(outcome: ChangeRow["outcome"], values: Record<string, unknown>, isUndo: boolean): string {
  if (outcome === "hidden") return "Created by the upload, no longer shown";
  if (outcome !== "created" && outcome !== "removed") return "";
  const parts = [fieldText("priceCents", values.priceCents), `${grouped(Number(values.stock))} in stock`];
  if (isUndo && outcome === "removed") return `Created by the upload: ${parts.join(", ")}`;
  return [categoryName(String(values.category)), ...parts].join(", ");
}

/** Row of the list of runs. */
function listedRun(run: ListedRun, context: StaffContext) {
  const { timezone } = context.settings;
  const end = undoEnd(run);
  return {
    ...{ id: run.id, to: runPath(run.id), fileName: run.fileName, userName: run.userName },
    at: formatDateTime(run.startedAt, timezone),
    ...{ created: grouped(run.created), updated: grouped(run.updated), result: resultOf(run) },
    undo: context.now > end ? "30 days are over" : `until ${formatDate(end, timezone)}`,
  };
}
