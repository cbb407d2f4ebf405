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

/** Words of a sum of an undo: `21 go back, 3 in part`. */
const WORDS: Record<Outcome, [would: string, did: string]> = {
  updated: ["go back", "went back"],
  created: ["are created again", "were created again"],
  partial: ["go back in part", "went back in part"],
  removed: ["are removed", "were removed"],
  hidden: ["are hidden", "were hidden"],
  stayed: ["stay as they are", "stayed as they are"],
};

/** Sums up an undo. @param isDone false for a dry run */
export function describeCounts(counts: OutcomeCounts, isDone: boolean): string {
  const parts = (Object.keys(WORDS) as Outcome[]).flatMap((name) =>
    counts[name] > 0 ? [`${counts[name].toLocaleString("en")} ${WORDS[name][isDone ? 1 : 0]}`] : [],
  );
  return parts.length > 0 ? parts.join(", ") : "Nothing goes back";
}

export const sumOf = (counts: OutcomeCounts): number =>
  OUTCOME_NAMES.reduce((sum, name) => sum + counts[name], 0);

/** Names a run by its day: `Upload of 19th Nov 2026`. */
export function runTitle({ kind, fileName }: Pick<ImportRun, "kind" | "fileName">, day: string): string {
  if (kind === "import") return `Upload of ${day}`;
  return `${fileName}, ${day}`;
}

/** Sums up a run. */
export function describeRun(run: ImportRun): string {
  if (run.kind === "undo") return describeCounts(countsOfRun(run), true);
  const { created, updated, removed, hidden, unchanged, rejected } = run;
  const parts = Object.entries({ created, updated, removed, hidden, skipped: unchanged, rejected });
  const named = parts.flatMap(([name, count]) =>
    count > 0 ? [`${count.toLocaleString("en")} ${name}`] : [],
  );
  const total = created + updated + removed + hidden + unchanged + rejected;
  return named.length > 0 ? `${counted(total, "product")}: ${named.join(", ")}` : "Nothing was changed";
}
