import { useEffect, useRef, useState } from "react";
import { applyEdit, type DraftLine, LINE_FIELDS, type LineEdit, type SaleProduct } from "./draft";
import { type LineFormAnswer, type LineProblem, problemsOf } from "./problems";

/** Line on the screen. */
export interface KeyedLine extends DraftLine {
  key: string;
  problems: LineProblem[];
}

let keys = 0;
const keyed = (line: DraftLine): KeyedLine => {
  keys += 1;
  return { ...line, key: `added-${keys}`, problems: [] };
};

const withProblems = (lines: DraftLine[], answer: LineFormAnswer | undefined): KeyedLine[] => {
  const problems = problemsOf(answer);
  return lines.map((line, i) => ({ ...line, key: `line-${i}`, problems: problems.get(i) ?? [] }));
};

/**
 * Holds the lines of a form and the products that they show.
 *
 * @param initial lines as the page was drawn with
 * @param loaded products as the page last loaded them
 * @param answer of the action; a new one puts its problems on the lines that were sent
 */
export function useDraftLines(
  initial: DraftLine[],
  loaded: SaleProduct[],
  answer: LineFormAnswer | undefined,
) {
  const [lines, setLines] = useState(() => withProblems(initial, answer));
  const [added, setAdded] = useState<SaleProduct[]>([]);
  const last = useRef(answer);
  useEffect(() => {
    if (last.current === answer) return;
    last.current = answer;
    // The page has loaded the products of all lines again; one that is missing was deleted.
    setAdded([]);
    const problems = problemsOf(answer);
    setLines((current) => current.map((line, i) => ({ ...line, problems: problems.get(i) ?? [] })));
  }, [answer]);
  useTypedBefore(setLines);
  const change = (index: number, fields: Partial<DraftLine>) =>
    setLines((current) =>
      current.map((line, i) => (i === index ? { ...line, ...fields, problems: [] } : line)),
    );
  const edit = (what: LineEdit, query = "", product?: SaleProduct) => {
    if (product) setAdded((known) => [...known.filter(({ id }) => id !== product.id), product]);
    setLines((current) =>
      applyEdit(current, what, query, product).map((line, i) => {
        const known = "key" in line ? line : keyed(line);
        const isSettled = (what.type === "quantity" || what.type === "detach") && what.index === i;
        return isSettled ? { ...known, problems: [] } : known;
      }),
    );
  };
  const products = new Map([...added, ...loaded].map((product) => [product.id, product]));
  return { lines, products, change, edit };
}

/** Takes over what was typed before the page's script ran. */
function useTypedBefore(setLines: (update: (lines: KeyedLine[]) => KeyedLine[]) => void): void {
  const latest = useRef(setLines);
  useEffect(() => {
    const typed = (i: number, field: string) => {
      const input = document.getElementsByName(`lines[${i}].${field}`)[0];
      const isField = input instanceof HTMLInputElement || input instanceof HTMLSelectElement;
      return isField ? { [field]: input.value } : {};
    };
    latest.current((lines) =>
      lines.map((line, i) => Object.assign({}, line, ...LINE_FIELDS.map((field) => typed(i, field)))),
    );
  }, []);
}
