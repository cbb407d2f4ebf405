import { useActionData } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import {
  type DraftLine,
  draftLines,
  LINE_FIELDS,
  priceProblem,
  type SaleProduct,
  typedDiscountProblem,
  typedText,
} from "./draft";
import type { EditedLines } from "./forms.server";
import { applyEdit, type LineEdit } from "./line-edits";

/** Answer of the action: errors, or the form after a button of its lines (without JavaScript). */
type Answer = LineFormAnswer & { page?: EditedLines };

interface LinesData {
  /** Idempotency key. */
  id: string;
  lines: DraftLine[];
  products: SaleProduct[];
}

/** State of a form of lines: the action's answer, what was typed, and the lines. */
export function useLinesForm(data: LinesData) {
  const answer = useActionData() as Answer | undefined;
  const sent: Record<string, unknown> | null | undefined =
    answer?.page?.fields ?? answer?.lastResult?.initialValue;
  const submitted = sent ?? {};
  // A field that was sent empty is missing.
  const value = (name: string, initial: string): string => (sent ? typedText(submitted[name]) : initial);
  const draft = useDraftLines(
    typedLines(answer ?? {}, data),
    [...data.products, ...(answer?.page?.products ?? [])],
    answer,
  );
  // The same id when the form is sent again after an error.
  const [id, setId] = useState(() => value("id", data.id));
  const foundIds = answer?.page?.foundIds ?? null;
  const lookUps = useLookUps();
  return {
    answer,
    submitted,
    value,
    draft,
    ...{ id, setId },
    search: { lookUps, foundIds, query: answer?.page ? answer.page.query : value("find", "") },
  };
}

export type LookUps = ReturnType<typeof useLookUps>;

/** Holds the texts whose products are being looked up, and those that mean no single product. */
function useLookUps() {
  const [pending, setPending] = useState<string[]>([]);
  const [unclear, setUnclear] = useState<string[]>([]);
  const begin = (text: string) => setPending((texts) => [...texts, text]);
  const end = () => setPending(([, ...texts]) => texts);
  const keep = (text: string) => setUnclear((texts) => [...new Set([...texts, text])]);
  /** Exchanges a text for that of the field. */
  const take = (text: string, typed: string) => {
    setUnclear((texts) => texts.filter((each) => each !== text));
    if (typed.trim()) keep(typed.trim());
  };
  return { pending, unclear, begin, end, keep, take };
}

/** Returns the lines as they were typed, else those of the page. */
function typedLines({ page, lastResult }: Partial<Answer>, data: LinesData): DraftLine[] {
  if (page) return page.lines;
  return lastResult?.initialValue ? draftLines(lastResult.initialValue.lines) : data.lines;
}

/** Adds the products of the lines to the form's address: an answer shows their stock. */
export function withProducts(url: string, lines: DraftLine[]): string {
  const products = [...new Set(lines.map(({ unitId }) => unitId))].filter(Boolean).join();
  return products ? `${url}${url.endsWith("?") ? "" : "&"}${new URLSearchParams({ products })}` : url;
}

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

/** Adds the errors of a line's price and discount as they are typed. */
function withPriceProblem(line: KeyedLine): KeyedLine {
  const found = [
    { field: "price", message: priceProblem(line) },
    { field: "discount", message: typedDiscountProblem(line) },
  ] as const;
  const problems = found.flatMap(({ field, message }) =>
    message === null ? [] : [{ field, message, isStock: false }],
  );
  const others = line.problems.filter(({ field }) => !problems.some((problem) => problem.field === field));
  return { ...line, problems: [...others, ...problems] };
}

/** Edits that settle the problems of their line. */
const SETTLING: ReadonlySet<LineEdit["type"]> = new Set(["quantity", "detach", "choose"]);

/**
 * Holds the lines of a form and the products that they show.
 *
 * @param initial lines as the page was drawn with
 * @param loaded products as the page last loaded them
 * @param answer of the action; a new one puts its problems on the lines that were sent
 */
function useDraftLines(initial: DraftLine[], loaded: SaleProduct[], answer: LineFormAnswer | undefined) {
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
      current.map((line, i) =>
        i === index
          ? { ...line, ...fields, problems: line.problems.filter(({ field }) => !(field in fields)) }
          : line,
      ),
    );
  const edit = (what: LineEdit, query = "", product?: SaleProduct) => {
    if (product) setAdded((known) => [...known, ...(product.siblings ?? []), product]);
    setLines((current) =>
      applyEdit(current, what, query, product, products).map((line, i) => {
        const known = "key" in line ? line : keyed(line);
        const isSettled = SETTLING.has(what.type) && "index" in what && what.index === i;
        return isSettled ? { ...known, problems: [] } : known;
      }),
    );
  };
  const products = new Map([...added, ...loaded].map((product) => [product.id, product]));
  const checkPrice = (index: number) =>
    setLines((current) => current.map((line, i) => (i === index ? withPriceProblem(line) : line)));
  const replace = (next: DraftLine[]) => setLines(next.map(keyed));
  return { lines, products, change, edit, checkPrice, replace };
}

/** Adds to the lines the values that were typed before hydration. */
function useTypedBefore(setLines: (update: (lines: KeyedLine[]) => KeyedLine[]) => void): void {
  const latest = useRef(setLines);
  useEffect(() => {
    const typed = (i: number) =>
      LINE_FIELDS.flatMap((field) => {
        const input = document.getElementsByName(`lines[${i}].${field}`)[0];
        const isField = input instanceof HTMLInputElement || input instanceof HTMLSelectElement;
        return isField ? [[field, input.value]] : [];
      });
    latest.current((lines) => lines.map((line, i) => ({ ...line, ...Object.fromEntries(typed(i)) })));
  }, []);
}

/** Errors in the answer of the page's action. */
export interface LineFormAnswer {
  lastResult: {
    initialValue?: Record<string, unknown> | null | undefined;
    error?: Record<string, string[] | null> | null | undefined;
  } | null;
  failure: string | null;
}

/** Error of a line, at the field that mends it. */
export interface LineProblem {
  field: "quantity" | (typeof PLACES)[number];
  message: string;
  /** The stock does not suffice. */
  isStock: boolean;
}

const PATH = /^lines[.[](\d+)\]?(?:\.(\w+)(?:\.\w+)?)?$/;
/** Fields that have a place for their error; that of another one stands at the quantity. */
const PLACES = ["price", "discount", "reason", "description", "material", "size"] as const;

/** Finds the errors of lines by their index; the first of each field, and that of the stock. */
function problemsOf(answer: LineFormAnswer | undefined): Map<number, LineProblem[]> {
  const problems = new Map<number, LineProblem[]>();
  for (const [path, messages] of Object.entries(answer?.lastResult?.error ?? {})) {
    const [, index = "", field] = PATH.exec(path) ?? [];
    const message = messages?.[0];
    if (index === "" || !message) continue;
    const problem = { field: fieldOf(field), message, isStock: field === undefined };
    problems.set(Number(index), [...(problems.get(Number(index)) ?? []), problem]);
  }
  return problems;
}

function fieldOf(field: string | undefined): LineProblem["field"] {
  return field === "amount" ? "price" : (PLACES.find((place) => place === field) ?? "quantity");
}

/** Finds the error of a field beside the lines. */
export const fieldProblem = (answer: LineFormAnswer | undefined, name: string): string | undefined =>
  answer?.lastResult?.error?.[name]?.[0];
