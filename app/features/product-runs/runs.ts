import { DAY_SECONDS } from "~/domain/durations";
import { counted } from "~/ui/format";
import type { ImportRun } from "./queries/runs.server";

/** Days for which a run can be taken back. */
const UNDO_DAYS = 30;
export const UNDO_SECONDS = UNDO_DAYS * DAY_SECONDS;
/** Seconds after which a run that has not ended counts as interrupted. */
export const MAX_RUN_SECONDS = 3 * 60;

const RUNS_PATH = "/admin/products-management/runs";

/** Returns the page of a run. */
export const runPath = (id: string) => `${RUNS_PATH}/${encodeURIComponent(id)}`;

/** Returns the page that shows what an undo of a run would do. */
export const undoPath = (id: string) => `${runPath(id)}/undo`;

/** Outcomes of a change, in the order in which pages list them, with their labels. */
export const OUTCOMES = {
  partial: "In part",
  hidden: "Hidden",
  stayed: "Stay",
  updated: "Updated",
  removed: "Removed",
  created: "Created",
} as const;
export type Outcome = keyof typeof OUTCOMES;
export const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];

/** Labels of the outcomes of an undo, where they differ. */
export const UNDO_OUTCOMES: Record<Outcome, string> = {
  ...OUTCOMES,
  updated: "Go back",
  created: "Created again",
};

/** Number of products by outcome. */
export type OutcomeCounts = Record<Outcome, number>;

export const countsOf = (counts: Partial<Record<string, number>>): OutcomeCounts =>
  Object.fromEntries(OUTCOME_NAMES.map((name) => [name, counts[name] ?? 0])) as OutcomeCounts;

/** Returns the counts that a run has stored; `unchanged` of an undo counts the products that stayed whole. */
export const countsOfRun = ({
  kind,
  unchanged,
  ...counts
}: Pick<ImportRun, "kind" | "unchanged"> & Omit<OutcomeCounts, "stayed">): OutcomeCounts =>
  Object.assign(countsOf({}), {
    created: counts.created,
    updated: counts.updated,
    partial: counts.partial,
    removed: counts.removed,
    hidden: counts.hidden,
    stayed: kind === "undo" ? unchanged : 0,
  });

interface Verb {
  one: string;
  several: string;
}

const WAS: Verb = { one: "was", several: "were" };
const IS: Verb = { one: "is", several: "are" };
const both = (verb: Verb, rest: string): Verb => ({
  one: `${verb.one} ${rest}`,
  several: `${verb.several} ${rest}`,
});
const same = (text: string): Verb => ({ one: text, several: text });

/** Words of a sum of an undo: `21 go back, 1 goes back in part`. */
const WORDS: Record<Outcome, { would: Verb; did: Verb }> = {
  updated: { would: { one: "goes back", several: "go back" }, did: same("went back") },
  created: { would: both(IS, "created again"), did: both(WAS, "created again") },
  partial: {
    would: { one: "goes back in part", several: "go back in part" },
    did: same("went back in part"),
  },
  removed: { would: both(IS, "removed"), did: both(WAS, "removed") },
  hidden: { would: both(IS, "hidden"), did: both(WAS, "hidden") },
  stayed: {
    would: { one: "stays as it is", several: "stay as they are" },
    did: { one: "stayed as it is", several: "stayed as they are" },
  },
};

/** Sums up an undo. @param isDone false for a dry run */
export function describeCounts(counts: OutcomeCounts, isDone: boolean): string {
  const parts = (Object.keys(WORDS) as Outcome[]).flatMap((name) =>
    counts[name] > 0 ? [`${counts[name].toLocaleString("en")} ${verbOf(name, counts[name], isDone)}`] : [],
  );
  return parts.length > 0 ? parts.join(", ") : "Nothing goes back";
}

function verbOf(name: Outcome, count: number, isDone: boolean): string {
  const { one, several } = WORDS[name][isDone ? "did" : "would"];
  return count === 1 ? one : several;
}

export const sumOf = (counts: OutcomeCounts): number =>
  OUTCOME_NAMES.reduce((sum, name) => sum + counts[name], 0);

/** Names a run by its file or act, and its day: `Upload of lamps.csv, 19th Nov 2026`. */
export const runTitle = ({ kind, fileName }: Pick<ImportRun, "kind" | "fileName">, day: string): string =>
  `${kind === "import" ? "Upload of " : ""}${fileName}, ${day}`;

type Named = Pick<ImportRun, "kind" | "fileName">;

/** Acts by the beginning of their names among the runs. */
const ACT_WORDS: [beginning: string, noun: string][] = [
  ["Price", "change of price"],
  ["Category", "change of category"],
  ["Hide", "hiding"],
  ["Show", "showing"],
  ["Delete", "deletion"],
];

function nounOf({ kind, fileName }: Named): string {
  if (kind !== "act") return kind === "undo" ? "undo" : "upload";
  return ACT_WORDS.find(([beginning]) => fileName.startsWith(beginning))?.[1] ?? "act";
}

/** Names a run in a sentence: `this upload`, `this change of price of 12 products`. */
export function thisRun(run: Named & Pick<ImportRun, "updated" | "removed">): string {
  const products = run.updated + run.removed;
  const of = run.kind === "act" && products > 0 ? ` of ${counted(products, "product")}` : "";
  return `this ${nounOf(run)}${of}`;
}

/** Heads the page of an undo: `Take an upload back`. */
export const undoHeading = (run: Named): string =>
  `Take ${run.kind === "import" ? "an" : "the"} ${nounOf(run)} back`;

type Counted = Pick<ImportRun, "kind" | "unchanged" | "rejected"> & Omit<OutcomeCounts, "stayed">;

/** Sums up a run. */
export function describeRun(run: Counted): string {
  if (run.kind === "undo") return describeCounts(countsOfRun(run), true);
  const { created, updated, removed, hidden, unchanged, rejected } = run;
  const total = created + updated + removed + hidden + unchanged + rejected;
  return total > 0 ? `${counted(total, "product")}: ${countsText(run)}` : NOTHING;
}

const NOTHING = "Nothing was changed";

function countsText({ created, updated, removed, hidden, unchanged, rejected }: Counted): string {
  const parts = Object.entries({ created, updated, removed, hidden, skipped: unchanged, rejected });
  return parts
    .flatMap(([name, count]) => (count > 0 ? [`${count.toLocaleString("en")} ${name}`] : []))
    .join(", ");
}

/** Sums up an undo or an act in a list of runs; null for an upload, whose counts have columns. */
export function resultOf(run: Counted): string | null {
  if (run.kind === "import") return null;
  return run.kind === "undo" ? describeRun(run) : countsText(run) || NOTHING;
}
