import { MAX_LABEL_UNITS } from "~/features/codes/paths";

/** Labels of one sheet order. */
export const MAX_LABELS = 480;

/** Labels of an A4 sheet: 3 × 8. */
export const SHEET_LABELS = 24;

export const PAPERS = ["a4", "roll"] as const;
export type Paper = (typeof PAPERS)[number];

/** Labels to be printed, as the page's URL and its form name it. */
export interface LabelParams {
  /** Copies by the id of the unit, and what was typed in place of a number of them. */
  copies: Map<string, number>;
  refused: Map<string, string>;
  /** Products whose units are added, one copy of each. */
  products: string[];
  /** Unit that is added. */
  added: string | null;
  /** Text by which something is added. */
  q: string;
  paper: Paper;
  /** First label of the sheet that is not used yet, from 1. */
  from: number;
  hasPrice: boolean;
  /** Takes the stock as the number of copies. */
  isFilled: boolean;
}

const whole = (text: string | null, min: number, max: number, missing: number): number => {
  const value = Number(text?.trim() || missing);
  return Number.isInteger(value) ? Math.max(min, Math.min(max, value)) : missing;
};

/** Number of copies; blank is one. */
const COPIES = /^\d{0,3}$/;

/** Reads a number of copies; null for what is none, or too many. */
function copiesOf(text: string): number | null {
  const copies = COPIES.test(text) ? Number(text || 1) : Number.NaN;
  return copies <= MAX_LABELS ? copies : null;
}

/** Characters of a refused number that are shown again. */
const MAX_REFUSED = 10;

/** Reads the parameters; what is not valid is left out. */
export function parseLabelParams(search: URLSearchParams): LabelParams {
  const typed = search.getAll("copies");
  const units = search
    .getAll("unit")
    .map((id, i) => ({ id, text: typed[i]?.trim() ?? "" }))
    .filter(({ id }) => id !== "")
    .slice(0, MAX_LABEL_UNITS);
  return {
    copies: new Map(units.map(({ id, text }) => [id, copiesOf(text) ?? 0])),
    refused: new Map(
      units.flatMap(({ id, text }) =>
        copiesOf(text) === null ? [[id, text.slice(0, MAX_REFUSED)] as const] : [],
      ),
    ),
    products: search.getAll("product").filter(Boolean).slice(0, MAX_LABEL_UNITS),
    added: search.get("add"),
    q: (search.get("q") ?? "").trim().slice(0, 200),
    paper: PAPERS.find((paper) => paper === search.get("paper")) ?? "a4",
    from: whole(search.get("from"), 1, SHEET_LABELS, 1),
    // A form without a tick sends nothing of it.
    hasPrice: search.has("price") || !search.has("paper"),
    isFilled: search.get("fill") === "stock",
  };
}
