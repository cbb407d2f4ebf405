import { z } from "zod";
import { CATEGORIES } from "~/domain/categories";
import { categoryFrom } from "~/domain/category-rule";
import { MAX_PERCENT, parseChange, ROUNDINGS, type Rounding } from "~/domain/price-change";
import { PRODUCTS_PATH } from "~/features/product-import/plan";
import { clientId, EXAMPLES, id } from "~/http/fields";
import type { IconName } from "~/ui/icons";

/** Products of one act, at most. */
export const MAX_ACT_PRODUCTS = 2000;

export const ACT_NAMES = ["price", "category", "hide", "show", "delete"] as const;
export type ActName = (typeof ACT_NAMES)[number];

interface ActEntry {
  label: string;
  icon: IconName;
  isDangerous?: boolean;
  /** Address that gets the ticked products by GET, for what changes none of them. */
  to?: string;
}

/** Acts on ticked products, in the order of their buttons. */
export const ACTS: Record<ActName | "labels" | "export", ActEntry> = {
  price: { label: "Price", icon: "percent" },
  category: { label: "Category", icon: "tag" },
  hide: { label: "Hide", icon: "eye-off" },
  show: { label: "Show", icon: "eye" },
  labels: { label: "Labels", icon: "printer" },
  export: { label: "Export", icon: "download", to: `${PRODUCTS_PATH}.csv` },
  delete: { label: "Delete", icon: "trash-2", isDangerous: true },
};

const UNITS = ["percent", "amount"] as const;
const roundings = Object.keys(ROUNDINGS) as [Rounding, ...Rounding[]];

const change = z
  .union([z.number(), z.string()], { error: "Change is required" })
  .transform((typed, context) => {
    const hundredths = parseChange(String(typed));
    if (hundredths !== null) return hundredths;
    context.addIssue({ code: "custom", message: "Must be a number such as +5 or -2.50, and not 0" });
    return z.NEVER;
  })
  .meta({ override: { type: "number", examples: [5] } });

/** Settings of acts; those of other acts than the chosen one are ignored. */
export const ActSettings = z.object({
  act: z.enum(ACT_NAMES, { error: `Must be one of ${ACT_NAMES.join(", ")}` }),
  by: change.optional(),
  unit: z.enum(UNITS, { error: `Must be one of ${UNITS.join(", ")}` }).default("percent"),
  round: z.enum(roundings, { error: `Must be one of ${roundings.join(", ")}` }).default("cent"),
  to: categoryFrom().optional(),
});
export type ActSettings = z.output<typeof ActSettings>;

type Issue = { path: string; message: string };

/** Lists what an act still needs. */
function missingSettings({ act, by, unit, to }: ActSettings): Issue[] {
  if (act === "price" && by === undefined) return [{ path: "by", message: "Change is required" }];
  if (act === "price" && unit === "percent" && Math.abs(by ?? 0) > MAX_PERCENT)
    return [{ path: "by", message: `Must be at most ${MAX_PERCENT / 100} %` }];
  if (act === "category" && to === undefined) return [{ path: "to", message: "Category is required" }];
  return [];
}

const tooMany = `At most ${MAX_ACT_PRODUCTS.toLocaleString("en")} products at once`;

/** Prices by product, cents, as a preview showed them. */
const seenPrices = z
  .record(id, z.int().min(0))
  .refine((prices) => Object.keys(prices).length <= MAX_ACT_PRODUCTS, tooMany)
  .meta({ examples: [{ [EXAMPLES.id]: 2400 }] });

/** POST product/acts. */
export const ActInput = ActSettings.extend({
  /** Makes a repeated request one act. */
  id: clientId(),
  ids: z.array(id).min(1, "No products are chosen").max(MAX_ACT_PRODUCTS, tooMany).optional(),
  /** In place of `ids`: the products that a search of the back office finds. */
  matching: z
    .object({ q: z.string().max(200).default(""), category: z.enum(CATEGORIES).optional() })
    .optional(),
  was: seenPrices.optional(),
  dryRun: z.boolean().default(false),
}).superRefine(({ ids, matching, ...settings }, context) => {
  if ((ids === undefined) === (matching === undefined))
    context.addIssue({ code: "custom", path: ["ids"], message: "Send either ids or matching" });
  for (const { path, message } of missingSettings(settings as ActSettings))
    context.addIssue({ code: "custom", path: [path], message });
});
export type ActRequest = z.output<typeof ActInput>;

/** Field of a product that an act changes, as readers see it. */
export interface ActChange {
  id: string;
  name: string;
  before: string;
  after: string;
  /** Real change of a price. */
  percent: string | null;
  /** Units with own prices, which change by the same. */
  units: UnitActChange[];
}

/** Own price of a unit that an act changes; its name is the choice. */
export type UnitActChange = Pick<ActChange, "id" | "name" | "before" | "after" | "percent">;

/** Product that an act leaves as it is, and why. */
export interface ActLeft {
  id: string;
  name: string;
  reason: string;
}

/** Sentence that says what an act does, or has done, to a number of products. */
export function actSentence(act: ActName, count: number, isDone: boolean): string {
  const products = `${count.toLocaleString("en")} ${count === 1 ? "product" : "products"}`;
  const verb = {
    price: ["Change the price of", "Price changed:"],
    category: ["Change the category of", "Category changed:"],
    hide: ["Hide", "Hidden:"],
    show: ["Show", "Shown again:"],
    delete: ["Delete", "Deleted:"],
  }[act][isDone ? 1 : 0];
  return `${verb} ${products}`;
}
