import { foldText } from "~/db/text";
import { parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import type { Draft } from "./draft";
import { textOf } from "./sheet";

/** Patterns of words for a total by language, folded. */
const WORDS = [
  String.raw`(?:(?:grand|net|gross|overall|running|page(?: \d+)?|report|final)[ -]?)?totals?`,
  "(?:sub|sous|zwischen|end|gesamt)?[ -]?(?:total[es]?|totaux|totaal|totalt|summen?)|gesamt(?:betrag)?|insgesamt",
  "sums?|suma|somme|soma|summa|delsum(?:ma)?|totale? genera[el]|total geral|eindtotaal|i alt",
  "razem|celkem|mezisoucet|medzisucet|spolu|ukupno|yhteensa|valisumma|is viso|kopa|kokku",
  "итого|всего|(?:общий |промежуточный )?итог|подытог|общо|укупно",
  "разом|усього|всього|загалом|(?:загальний |проміжний )?підсумок",
  "(?:μερικο |γενικο |υπο)?συνολο|συνολα",
  "(?:ara |genel )?toplam",
  "(?:mind|resz)?ossz(?:esen|eg)",
  "tong (?:cong|so)|tam tinh",
  "jumlah(?: total| besar| keseluruhan)?|total keseluruhan",
  "(?:ال)?مجموع(?: الفرعي| الكلي)?|(?:ال)?[إا]جمالي|جمع(?: کل)?",
  'סה["״]?כ|סך הכו?ל|סיכום(?: ביניים)?',
  "(?:कुल|उप|महा)[ -]?योग|कुल",
  "ยอดรวม(?:ทั้งหมด|ทั้งสิ้น|ย่อย)?|รวม(?:ทั้งหมด|ทั้งสิ้น|ย่อย)?|ผลรวม",
  "(?:총 ?)?합계|소계|총계|총합",
  "合计|总计|小计|合計|總計|総計|小計",
].join("|");
const WHOLE = new RegExp(`^(?:${WORDS})$`, "u");
const BEFORE = new RegExp(String.raw`^(?:${WORDS})(?<rest>[ :=(\p{Pd}].*)$`, "u");
const AFTER = new RegExp(String.raw`^(?<rest>.+[ :\p{Pd}])(?:${WORDS})$`, "u");
/** Counts, and what a total sums up. */
const SUMMED =
  /^(?:\d+ )?(?:all )?(?:items?|products?|rows?|units?|pieces?|pcs|skus?|lines?|entries|records|articles?|artikel|produkte?|produits?|stuck|positionen|(?:inventory |stock )?(?:value|amount|price|stock|quantity|qty|cost)|inventory|ht|ttc|cad)$/;
/** An amount or a count after a sign; `Total 90` may be a product. */
const SIGNED_NUMBER = /^ ?[:=(] ?\p{Sc}? ?[\d.,' ]*\d ?\p{Sc}? ?\)?$/u;

/** Length of a total's name; longer ones are not searched. */
const MAX_LENGTH = 80;

/** Leaves out the rows that sum up others; a row that says more than numbers is a product. */
export function withoutTotals(drafts: Draft[]): Draft[] {
  const groups = new Set(drafts.flatMap(groupNames).map(foldText).filter(Boolean));
  return drafts.map((draft) =>
    !draft.skip && isBare(draft) && isTotal(draft.name, groups)
      ? { ...draft, skip: "Is a row of totals" }
      : draft,
  );
}

const isBare = ({ description, colors, imageUrls, key }: Draft) =>
  description === "" && colors.length === 0 && imageUrls.length === 0 && key === undefined;

/** Names what rows are summed up by: their categories, and rows of a name alone above them. */
function groupNames(draft: Draft): string[] {
  const { name, category, sourceCategory, isUncategorised = false, price, stock } = draft;
  const isHeading = isBare(draft) && textOf(price) === "" && textOf(stock) === "";
  const known = parseCategory(category);
  const names = [known ? categoryName(known) : category, isUncategorised ? "" : sourceCategory];
  return [...names, isHeading ? name : ""].filter(Boolean);
}

/** Tests a name: `Total`, `Total (2 items)`, or a total of one of the file's groups. */
function isTotal(name: string, groups: Set<string>): boolean {
  if (name.length > MAX_LENGTH) return false;
  const text = foldText(name);
  if (WHOLE.test(withoutSigns(text))) return true;
  const rest = BEFORE.exec(text)?.groups?.rest ?? "";
  if (SIGNED_NUMBER.test(rest)) return true;
  return [rest, AFTER.exec(text)?.groups?.rest ?? ""].some((each) => {
    const summed = withoutSigns(each).replace(/^(?:for|of|in|fur|pour|de|di) /, "");
    return SUMMED.test(summed) || groups.has(summed);
  });
}

const withoutSigns = (text: string) => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
