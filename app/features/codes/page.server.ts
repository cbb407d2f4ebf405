import { localTo } from "~/domain/local-to";
import { choiceText } from "~/domain/unit-name";
import { CodeInput } from "~/features/catalogue/codes";
import {
  findUnitsByCode,
  findUnitsOfProducts,
  type UnitRow,
} from "~/features/catalogue/codes.queries.server";
import { linkCode } from "~/features/catalogue/operations/codes.server";
import { listProducts } from "~/features/catalogue/operations/products.server";
import { valuesByName } from "~/features/catalogue/units";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";
import { redirect } from "~/http/redirect.server";
import { type CodeHit, hitName } from "./lookup";
import { codeUrl } from "./paths";

export type CodesPage = ResultOf<typeof readCodesPage>;

const MAX_FOUND_PRODUCTS = 6;
const MAX_FOUND_UNITS = 12;

const hitOf = ({ values, options, priceCents, ...unit }: UnitRow): CodeHit => ({
  ...unit,
  choice: choiceText(values),
  options: valuesByName(options, values),
  price: priceCents / 100,
});

/** Reads the page of a code: its units, or products that it may belong to. */
export const readCodesPage = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const text = searchParams.get("code") ?? "";
    const q = (searchParams.get("q") ?? "").trim().slice(0, 100);
    const { data, error } = CodeInput.safeParse({ code: text });
    const [hits, found] = await Promise.all([
      data ? findUnitsByCode(context.db, data.code) : [],
      q ? unitsByWords(context, q) : [],
    ]);
    const back = localTo(searchParams.get("back"), "/admin/inventory-management");
    return {
      heading: { title: "Code", trail: [{ to: "/admin/inventory-management", title: "Inventory" }] },
      code: data?.code ?? text.slice(0, 100),
      problem: text !== "" && error ? (error.issues[0]?.message ?? "Not valid") : null,
      hits: hits.map(hitOf),
      ...{ q, found: found.map(hitOf), back },
    };
  },
});

async function unitsByWords(context: StaffContext, search: string): Promise<UnitRow[]> {
  const list = await resultOrNull(listProducts.execute(context, { search, limit: MAX_FOUND_PRODUCTS }));
  const ids = (list?.rows ?? []).map(({ id }) => id);
  return ids.length > 0 ? findUnitsOfProducts(context.db, ids, MAX_FOUND_UNITS) : [];
}

/** Forms of the page. With the field `quietly`, which scripts send, the answer has no toast. */
export const CODE_FORMS: FormIntents = {
  link: intent(linkCode, {
    done: (unit, form) =>
      form.quietly === "1"
        ? { stay: true }
        : { to: codeUrl(unit.barcode), toast: `${unit.barcode} is the barcode of ${hitName(unit)}` },
  }),
};

/**
 * Opens what a search names by an exact code: its only unit, else the page of the code. For documents alone: with JavaScript
 * the search field does it on Enter, and a list that is read while somebody types stays.
 *
 * @throws Response a redirect
 */
export async function openSearchedCode(
  { db, request }: StaffContext,
  urlOf: (unit: Pick<CodeHit, "unitId" | "productId" | "name">) => string,
): Promise<void> {
  const url = new URL(request.url);
  const { data } = CodeInput.safeParse({ code: url.searchParams.get("q") ?? "" });
  if (!data || request.headers.get("Sec-Fetch-Dest") === "empty") return;
  const [only, second] = await findUnitsByCode(db, data.code);
  if (second) throw redirect(codeUrl(data.code, url.pathname));
  if (only) throw redirect(urlOf(only));
}
