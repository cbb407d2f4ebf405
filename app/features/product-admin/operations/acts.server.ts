import { z } from "zod";
import type { Category } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { epochSeconds } from "~/domain/durations";
import { dollars } from "~/domain/money";
import { changedPrice, percentLabel } from "~/domain/price-change";
import { choiceText } from "~/domain/unit-name";
import { heldBy } from "~/features/catalogue/operations/units.server";
import { findHoldsOf, type HoldOfUnit } from "~/features/catalogue/units.queries.server";
import { Count, Id } from "~/http/answers";
import { AppError } from "~/http/errors";
import { operation, type StaffContext } from "~/http/operation.server";
import { fullName } from "~/session/caller.server";
import {
  ACT_NAMES,
  type ActChange,
  ActInput,
  type ActLeft,
  type ActName,
  type ActRequest,
  type ActSettings,
  actSentence,
  MAX_ACT_PRODUCTS,
  type UnitActChange,
} from "../acts";
import {
  type ActRun,
  type ActTarget,
  beginActRun,
  deleteEmptyRun,
  deleteProducts,
  endActRun,
  findActRun,
  findChangedIds,
  findTargets,
  type Write,
  type Written,
  writePrices,
  writeProducts,
} from "../acts.queries.server";
import { parseProductListParams } from "../list-params";
import { productReads } from "../list-reads.server";

/** Products that are written in one transaction. */
const BATCH_SIZE = 400;

const Left = z.object({ id: Id, name: z.string(), reason: z.string() });
const Changed = z.object({
  id: Id,
  name: z.string(),
  before: z.string(),
  after: z.string(),
  percent: z.string().nullable().meta({ description: "Real change of a price" }),
});
const Acted = z.object({
  runId: Id.nullable().meta({
    description: "Run of the act, by which it is taken back; null for a dry run, and where nothing changes",
  }),
  id: Id.nullable().meta({ description: "The same as `runId`" }),
  act: z.enum(ACT_NAMES),
  message: z.string(),
  changed: Count,
  unchanged: Count.meta({ description: "Products that are already as the act makes them" }),
  left: z.array(Left).meta({ description: "Products that stay as they are, and why" }),
  products: z
    .array(
      Changed.extend({
        units: z.array(Changed).meta({ description: "Own prices of its units; their names are the choices" }),
      }),
    )
    .meta({ description: "What a dry run would change; empty otherwise" }),
});
export type ActResult = z.infer<typeof Acted>;

/**
 * POST product/acts: changes, hides, shows or deletes up to 2,000 products; with `dryRun` says what it would do. A request
 * with an `id` may be repeated.
 *
 * @throws AppError invalid (400); conflict (409) when more products match, or the id is that of another act
 */
export const actOnProducts = operation({
  route: "POST product/acts",
  summary: "Change, hide, show or delete many products, or say what that would do",
  answer: Acted,
  errors: [409],
  access: "staff",
  input: ActInput,
  maxBytes: 512 * 1024,
  async run({ input, ...context }): Promise<ActResult> {
    const ids = input.ids ?? (await matchingIds(context, input.matching ?? { q: "" }));
    return input.dryRun
      ? (await planAct(context, { ...input, ids })).preview
      : runAct(context, { ...input, ids });
  },
});

/** Finds the products of a search of the back office. @throws AppError conflict (409) when there are too many */
export async function matchingIds(
  context: StaffContext,
  { q, category }: NonNullable<ActRequest["matching"]>,
): Promise<string[]> {
  const params = parseProductListParams(new URLSearchParams({ q, ...(category && { category }) }));
  const reads = await productReads(context, params);
  const rows = await reads.rows({ limit: MAX_ACT_PRODUCTS + 1, offset: 0, dir: params.dir }, null);
  if (rows.length <= MAX_ACT_PRODUCTS) return rows.map(({ id }) => id);
  const most = MAX_ACT_PRODUCTS.toLocaleString("en");
  throw new AppError("conflict", `More than ${most} products match. Narrow the list, or take them in parts.`);
}

/** Act on products that are known by their ids. */
type Act = ActSettings & Pick<ActRequest, "id" | "was"> & { ids: string[] };

/** Verdict on a product: a value to write, nothing to do, or the reason why it stays. */
type Verdict = { write: Write } | { left: string } | "unchanged";

interface ActPlan {
  writes: Write[];
  preview: ActResult;
}

const COLUMNS: Record<Exclude<ActName, "delete" | "price">, Written> = {
  category: "category",
  hide: "isHidden",
  show: "isHidden",
};

const written = (id: string, before: Write["before"], after: Write["after"]): Verdict =>
  before === after ? "unchanged" : { write: { id, before, after } };

/** Decides about a product. @param holds active ones of the product, which a deletion reads */
function verdictOf(act: Act, target: ActTarget, holds: HoldOfUnit[] = []): Verdict {
  const { id, priceCents, category, isHidden } = target;
  if (act.act === "price") return priceVerdict(act, target, act.was?.[id] ?? priceCents);
  if (act.act === "category") return written(id, category, act.to ?? category);
  if (act.act === "delete") {
    if (holds.length > 0) return { left: `On hold for ${heldBy(holds)}` };
    return { write: { id, before: id, after: "" } };
  }
  return written(id, Number(isHidden), Number(act.act === "hide"));
}

function priceVerdict({ by = 0, unit, round }: Act, target: ActTarget, seen: number): Verdict {
  const { id, priceCents, ownPrices } = target;
  if (seen !== priceCents) return { left: `Its price is ${dollars(priceCents)} now, not ${dollars(seen)}` };
  const before = ownOf(ownPrices);
  const after = changedPrice(priceCents, { by, unit, round });
  const own = before.map(([unitId, cents]) => [unitId, changedPrice(cents, { by, unit, round })]);
  const tooLow = after === null ? priceCents : before.find((_, at) => own[at]?.[1] === null)?.[1];
  if (after === null || tooLow !== undefined)
    return { left: `${dollars(tooLow ?? priceCents)} can't be changed by that: the price must be above 0` };
  const ownAfter = JSON.stringify(own);
  return ownAfter === ownPrices
    ? written(id, priceCents, after)
    : { write: { id, before: priceCents, after, ownBefore: ownPrices, ownAfter } };
}

const ownOf = (ownPrices = "[]"): [unitId: string, cents: number][] => JSON.parse(ownPrices);

/** Lists the own prices of units that a write changes. */
function unitChanges({ ownPrices, ownChoices }: ActTarget, ownAfter = ownPrices): UnitActChange[] {
  const becomes = new Map(ownOf(ownAfter));
  const choices: string[][] = JSON.parse(ownChoices);
  return ownOf(ownPrices).flatMap(([id, was], at) => {
    const is = becomes.get(id) ?? was;
    const name = choiceText(choices[at] ?? []);
    return is === was
      ? []
      : [{ id, name, before: dollars(was), after: dollars(is), percent: percentLabel(was, is) }];
  });
}

/** Says what an act would do. @param done ids of products that its run has changed already */
export async function planAct(context: StaffContext, act: Act, done = new Set<string>()): Promise<ActPlan> {
  const ids = [...new Set(act.ids)].filter((id) => !done.has(id));
  const targets = new Map((await findTargets(context.db, ids)).map((target) => [target.id, target]));
  const holds = Map.groupBy(
    act.act === "delete" ? await findHoldsOf(context.db, "product", ids) : [],
    ({ productId }) => productId,
  );
  const writes: Write[] = [];
  const products: ActChange[] = [];
  const left: ActLeft[] = [];
  let unchanged = 0;
  for (const id of ids) {
    const target = targets.get(id);
    const verdict = target ? verdictOf(act, target, holds.get(id)) : { left: "No such product" };
    if (verdict === "unchanged") unchanged++;
    else if ("left" in verdict) left.push({ id, name: target?.name ?? id, reason: verdict.left });
    else {
      writes.push(verdict.write);
      products.push({
        id,
        name: target?.name ?? id,
        ...labelsOf(act.act, target as ActTarget, verdict.write),
      });
    }
  }
  const message = actSentence(act.act, writes.length, false);
  const preview = {
    runId: null,
    id: null,
    act: act.act,
    message,
    changed: writes.length,
    unchanged,
    left,
    products,
  };
  return { writes, preview };
}

function labelsOf(
  act: ActName,
  target: ActTarget,
  { before, after, ownAfter }: Write,
): Omit<ActChange, "id" | "name"> {
  const [was, becomes] = [Number(before), Number(after)];
  if (act === "price")
    return {
      before: dollars(was),
      after: dollars(becomes),
      percent: percentLabel(was, becomes),
      units: unitChanges(target, ownAfter),
    };
  const changed = (before: string, after: string) => ({ before, after, percent: null, units: [] });
  if (act === "category")
    return changed(categoryName(target.category), categoryName(String(after) as Category));
  if (act === "delete") return changed(target.isHidden ? "Hidden" : "Shown", "Deleted");
  return changed(was ? "Hidden" : "Shown", becomes ? "Hidden" : "Shown");
}

/**
 * Runs an act, once for its id: a repeated request goes on where an interrupted one ended, and answers with the result of a
 * finished one.
 */
export async function runAct(context: StaffContext, act: Act): Promise<ActResult> {
  const { db, user, now } = context;
  const label = labelOf(act);
  const run = await beginActRun(db, {
    id: act.id ?? crypto.randomUUID(),
    ...{ userName: fullName(user), fileName: label, source: "other", kind: "act" },
    ...{ state: "running", rows: act.ids.length, startedAt: now },
  });
  if (run.kind !== "act" || run.fileName !== label || run.userName !== fullName(user))
    throw new AppError("conflict", "This request has been used for another act. Start it anew.");
  if (run.state === "done") return resultOf(act.act, run);
  const { writes, preview } = await planAct(context, act, await findChangedIds(db, run.id));
  for (let from = 0; from < writes.length; from += BATCH_SIZE)
    await writeBatch(context, act.act, run.id, writes.slice(from, from + BATCH_SIZE));
  const changed = await findChangedIds(db, run.id);
  const overtaken = preview.products.map(({ id, name }) => ({ id, name, reason: "Changed meanwhile" }));
  // A parallel request with the same id may have changed what this one has left.
  const left = [...preview.left, ...overtaken].filter(({ id }) => !changed.has(id));
  const unchanged = Math.max(0, new Set(act.ids).size - changed.size - left.length);
  const end = {
    ...(act.act === "delete" ? { updated: 0, removed: changed.size } : { updated: changed.size, removed: 0 }),
    unchanged,
    errorDetails: left,
    finishedAt: epochSeconds(),
  };
  const result = resultOf(act.act, { ...run, ...end });
  // Nothing could be taken back.
  if (changed.size === 0)
    return deleteEmptyRun(db, run.id).then(() => ({ ...result, runId: null, id: null }));
  await endActRun(db, run.id, end);
  return result;
}

const writeBatch = ({ db, user, now }: StaffContext, act: ActName, run: string, writes: Write[]) => {
  if (act === "delete")
    return deleteProducts(
      db,
      writes.map(({ id }) => id),
      run,
      fullName(user),
    );
  if (act === "price") return writePrices(db, writes, { run, now });
  return writeProducts(db, COLUMNS[act], writes, { run, now });
};

/** Name of an act among the runs, by which a repeated request is told from another one. */
function labelOf({ act, by = 0, unit, round, to }: ActSettings): string {
  if (act === "price") {
    const amount = unit === "percent" ? `${Math.abs(by) / 100} %` : dollars(Math.abs(by));
    return `Price ${by < 0 ? "−" : "+"}${amount}${round === "cent" ? "" : `, to ${round}`}`;
  }
  return act === "category" ? `Category ${categoryName(to as Category)}` : LABELS[act];
}

const LABELS = { hide: "Hide products", show: "Show products", delete: "Delete products" };

/** Finds the act that a run's label names. */
function actOf(label: string): ActName | undefined {
  if (label.startsWith("Price ")) return "price";
  if (label.startsWith("Category ")) return "category";
  return ACT_NAMES.find((act) => act in LABELS && LABELS[act as keyof typeof LABELS] === label);
}

function resultOf(act: ActName, run: ActRun): ActResult {
  const changed = run.updated + run.removed;
  const left = run.errorDetails as ActLeft[];
  const message = actSentence(act, changed, true);
  return { runId: run.id, id: run.id, act, message, changed, unchanged: run.unchanged, left, products: [] };
}

/** Reads the result of an act for the products screen; null for an unknown run, and one that has not ended. */
export async function readActResult({ db }: StaffContext, id: string): Promise<ActResult | null> {
  const run = await findActRun(db, id);
  const act = actOf(run?.fileName ?? "");
  return run?.state === "done" && act ? resultOf(act, run) : null;
}
