import type { Db } from "~/db/client.server";
import { choiceText } from "~/domain/unit-name";
import { CodeInput } from "~/features/catalogue/codes";
import {
  findUnitsByCode,
  findUnitsById,
  findUnitsOfProducts,
  type UnitRow,
} from "~/features/catalogue/codes.queries.server";
import { listProducts } from "~/features/catalogue/operations/products.server";
import { MAX_LABEL_UNITS } from "~/features/codes/paths";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import { barsOf, labelCode } from "./barcode.server";
import { type LabelParams, MAX_LABELS, parseLabelParams } from "./params";

export type LabelsPage = ResultOf<typeof readLabelsPage>;
/** Unit with its label and copies. */
export type LabelUnit = LabelsPage["units"][number];

const MAX_FOUND_PRODUCTS = 6;
const MAX_FOUND_UNITS = 12;

/** Reads the page of labels: the chosen units with their barcodes, and what a search for more finds. */
export const readLabelsPage = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const params = parseLabelParams(new URL(input.url).searchParams);
    const { chosen, found } = await chosenUnits(context, params);
    const { q, paper, from, hasPrice } = params;
    return {
      heading: { title: "Labels", trail: [{ to: "/admin/inventory-management", title: "Inventory" }] },
      ...withCopies(chosen, params),
      found: found.map(({ unitId, name, values, sku }) => ({
        unitId,
        name,
        choice: choiceText(values),
        sku,
      })),
      ...{ q, paper, from, hasPrice },
    };
  },
});

interface Chosen {
  chosen: UnitRow[];
  /** Units that a search for words finds, to choose from. */
  found: UnitRow[];
}

/** Reads the units of the URL; an exact code adds its units, words are searched for. */
async function chosenUnits(context: StaffContext, params: LabelParams): Promise<Chosen> {
  const { db } = context;
  const ids = [...params.copies.keys(), ...(params.added ? [params.added] : [])];
  const [byId, byProduct, byCode, found] = await Promise.all([
    ids.length > 0 ? findUnitsById(db, ids) : [],
    params.products.length > 0 ? findUnitsOfProducts(db, params.products, MAX_LABEL_UNITS) : [],
    params.q ? unitsByCode(db, params.q) : [],
    params.q ? unitsByWords(context, params.q) : [],
  ]);
  const all = new Map([...byId, ...byProduct, ...byCode].map((unit) => [unit.unitId, unit]));
  return { chosen: [...all.values()].slice(0, MAX_LABEL_UNITS), found: byCode.length > 0 ? [] : found };
}

async function unitsByCode(db: Db, q: string): Promise<UnitRow[]> {
  const { data } = CodeInput.safeParse({ code: q });
  return data ? findUnitsByCode(db, data.code) : [];
}

async function unitsByWords(context: StaffContext, search: string): Promise<UnitRow[]> {
  const list = await resultOrNull(listProducts.execute(context, { search, limit: MAX_FOUND_PRODUCTS }));
  const ids = (list?.rows ?? []).map(({ id }) => id);
  return ids.length > 0 ? findUnitsOfProducts(context.db, ids, MAX_FOUND_UNITS) : [];
}

/** Adds the copies, all together at most as many as are printed at once. */
function withCopies(chosen: UnitRow[], { copies, refused, isFilled }: LabelParams) {
  let left = MAX_LABELS;
  let isCut = false;
  const units = chosen.map((unit) => {
    const wanted = isFilled ? unit.stock : (copies.get(unit.unitId) ?? 1);
    const given = Math.min(wanted, left);
    left -= given;
    isCut ||= given < wanted;
    const typed = isFilled ? null : (refused.get(unit.unitId) ?? null);
    return { ...labelOf({ ...unit, copies: given }), refused: typed };
  });
  return { units, isCut };
}

function labelOf({
  unitId,
  name,
  values,
  barcode,
  sku,
  priceCents,
  stock,
  copies,
}: UnitRow & { copies: number }) {
  const code = labelCode({ unitId, barcode, sku });
  return { unitId, name, choice: choiceText(values), priceCents, stock, copies, code, bars: barsOf(code) };
}
