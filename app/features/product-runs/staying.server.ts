import { localDay } from "~/domain/days";
import { formatEnd } from "~/domain/hold-end";
import { authorLabel } from "~/features/audit/labels";
import { findLastChanges, type LastChange, type SoughtChange } from "~/features/audit/queries.server";
import type { StaffContext } from "~/http/operation.server";
import { counted, formatDateTime, formatRecentDate } from "~/ui/format";
import { KEPT_FIELDS, storedValue } from "./queries/changes.server";
import type { ChangeRow } from "./queries/undo.server";
import { findUses, type ProductUses } from "./queries/uses.server";

/** Part of a product that an undo leaves, with who changed it and when. */
export interface Staying {
  /** Short, of a list: `Price changed`. */
  label: string;
  /** With the value that stays: `Price, $24.00`. */
  reason: string;
  by: string;
}

type StayedValues = Record<string, unknown>;
type Clock = Pick<StaffContext, "settings" | "now">;

const FIELDS = new Map(KEPT_FIELDS.map(({ column, field }) => [column as string, field]));

/** Reads the JSON of a change. */
export const valuesOf = (json: string | null): StayedValues | null =>
  json === null ? null : JSON.parse(json);

/** Writes the value that a change keeps of a column for readers. */
export function fieldText(column: string, value: unknown): string {
  const field = FIELDS.get(column);
  return field?.toText(storedValue(column, value)) || "none";
}

/** Returns the field under which the audit log has what stayed; null for a deletion. */
const loggedAs = (name: string): string | null =>
  name === "deleted" ? null : name === "choices" ? "units" : name;

/** Uses of a product that keep it from being removed. */
const USES = ["sold", "held", "asked", "waiting", "divided"];

/**
 * Describes what an undo leaves of products, by row.
 *
 * @param period time between the run and its undo, epoch seconds
 * @param runs the run, and its undo if there is one
 */
export async function describeStaying(
  context: StaffContext,
  rows: ChangeRow[],
  period: { from: number; until: number },
  runs: string[],
): Promise<Map<number, Staying[]>> {
  const stayed = rows.map((row) => ({ row, values: valuesOf(row.stayed) ?? {} }));
  const { changeOf, usesOf } = await readReasons(context, stayed, period, runs);
  return new Map(
    stayed.map(({ row, values }) => {
      const use = usesOf.get(row.productId);
      const parts = Object.entries(values).map(([name, value]) => {
        const change = changeOf(row.productId, loggedAs(name));
        return stayingPart(context, { name, value, use, change });
      });
      return [row.row, parts];
    }),
  );
}

/** Reads the last changes of fields that stayed, and the uses of products that are used. */
async function readReasons(
  { db }: StaffContext,
  stayed: { row: ChangeRow; values: StayedValues }[],
  period: { from: number; until: number },
  runs: string[],
) {
  const sought = stayed.flatMap(({ row, values }) =>
    Object.keys(values).flatMap((name): SoughtChange[] => {
      const isLogged = name === "deleted" || name === "choices" || FIELDS.has(name);
      return isLogged ? [{ id: row.productId, field: loggedAs(name) }] : [];
    }),
  );
  const used = stayed
    .filter(({ values }) => ["stock", ...USES].some((name) => name in values))
    .map(({ row: { productId, movement } }) => ({ productId, movement }));
  const [changes, uses] = await Promise.all([
    sought.length > 0 ? findLastChanges(db, sought, period, runs) : [],
    used.length > 0 ? findUses(db, used) : [],
  ]);
  return {
    changeOf: (id: string, field: string | null) =>
      changes.find((change) => change.id === id && change.field === field),
    usesOf: new Map(uses.map((each) => [each.productId, each])),
  };
}

interface Part {
  name: string;
  value: unknown;
  use: ProductUses | undefined;
  change: LastChange | undefined;
}

function stayingPart(clock: Clock, part: Part): Staying {
  const { name, value, use, change } = part;
  const field = FIELDS.get(name);
  const by = change ? authorAndTime(clock, change) : "";
  if (name === "deleted") return { label: "Deleted", reason: "Deleted", by };
  if (name === "choices") return describeChoices(by);
  if (name === "waiting") return describeWaiting(Number(value));
  if (!field) return describeUse(clock, name, use);
  const reason = field.audit === "fact" ? field.label : `${field.label}, ${fieldText(name, value)}`;
  const isUsed = use !== undefined && use.held + use.sold > 0;
  if (name !== "stock" || change || !isUsed) return { label: `${field.label} changed`, reason, by };
  const why = describeUse(clock, use.held > 0 ? "held" : "sold", use);
  return { ...why, reason: `${reason}: ${why.reason}` };
}

/** Describes choices and codes that stay as a whole. @param by who changed them, and when; "" where pieces have moved */
const describeChoices = (by: string): Staying =>
  by === ""
    ? {
        label: "Choices in use",
        reason: "Choices and codes: pieces were sold, counted or are on hold",
        by,
      }
    : { label: "Choices changed", reason: "Choices and codes", by };

function describeWaiting(people: number): Staying {
  const reason = people === 1 ? "1 person waits for it" : `${people.toLocaleString("en")} people wait for it`;
  return { label: "Waited for", reason, by: "" };
}

function authorAndTime({ settings, now }: Clock, change: LastChange): string {
  const { timezone } = settings;
  const isToday = localDay(change.at, timezone) === localDay(now, timezone);
  const time = formatDateTime(change.at, timezone);
  const source = change.authorKind === "import" && change.sourceName ? ` of ${change.sourceName}` : "";
  return `${authorLabel(change)}${source}, ${isToday ? `today${time.slice(time.lastIndexOf(","))}` : time}`;
}

/** Describes the use of a product. */
function describeUse({ settings, now }: Clock, name: string, use: ProductUses | undefined): Staying {
  const { timezone } = settings;
  const day = (at: number | null | undefined) =>
    at ? formatRecentDate(at, timezone, localDay(now, timezone)) : null;
  const listed = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(", ");
  if (name === "held") {
    const reason = `${(use?.held ?? 0).toLocaleString("en")} on hold`;
    const until = use?.heldUntil ? `until ${formatEnd(use.heldUntil, now, settings)}` : null;
    return { label: reason, reason, by: listed(use?.holder, until) };
  }
  if (name === "sold") {
    const reason = use && use.sold > 0 ? `${use.sold.toLocaleString("en")} sold` : "Sold";
    return { label: reason, reason, by: listed(use?.document, day(use?.soldAt)) };
  }
  if (name === "asked")
    return {
      label: "Asked about",
      reason: "Asked about",
      by: listed(counted(use?.chats ?? 0, "conversation"), day(use?.askedAt)),
    };
  if (name === "divided")
    return { label: "Has other choices", reason: "Has other choices than the upload gave it", by: "" };
  return { label: "Created again", reason: "Created again", by: "" };
}
