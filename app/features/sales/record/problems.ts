/** Answer of the page's action, as far as errors go. */
export interface LineFormAnswer {
  lastResult: {
    initialValue?: Record<string, unknown> | null | undefined;
    error?: Record<string, string[] | null> | null | undefined;
  } | null;
  failure: string | null;
}

/** Error of a line, at the field that mends it. */
export interface LineProblem {
  field: "quantity" | "price" | "description";
  message: string;
  /** The stock does not suffice. */
  isStock: boolean;
}

const PATH = /^lines[.[](\d+)\]?(?:\.(\w+))?$/;

/** Finds the errors of lines by their index; the first of each field, and that of the stock. */
export function problemsOf(answer: LineFormAnswer | undefined): Map<number, LineProblem[]> {
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
  if (field === "amount" || field === "price") return "price";
  return field === "description" ? field : "quantity";
}

/** Finds the error of a field beside the lines. */
export const fieldProblem = (answer: LineFormAnswer | undefined, name: string): string | undefined =>
  answer?.lastResult?.error?.[name]?.[0];
