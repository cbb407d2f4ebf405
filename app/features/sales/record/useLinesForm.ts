import { useActionData } from "@remix-run/react";
import { useState } from "react";
import { type DraftLine, draftLines, type SaleProduct, typedText } from "./draft";
import type { EditedLines } from "./forms.server";
import type { LineFormAnswer } from "./problems";
import { useDraftLines } from "./useDraftLines";

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
  const typed = sent ?? {};
  // A field that was sent empty is missing.
  const value = (name: string, initial: string): string => (sent ? typedText(typed[name]) : initial);
  const draft = useDraftLines(
    typedLines(answer ?? {}, data),
    [...data.products, ...(answer?.page?.products ?? [])],
    answer,
  );
  // The same id when the form is sent again after an error.
  const [id] = useState(() => value("id", data.id));
  const foundIds = answer?.page?.foundIds ?? null;
  return {
    answer,
    typed,
    value,
    draft,
    id,
    search: { foundIds, query: answer?.page ? answer.page.query : value("find", "") },
  };
}

/** Returns the lines as they were typed, else those of the page. */
function typedLines({ page, lastResult }: Partial<Answer>, data: LinesData): DraftLine[] {
  if (page) return page.lines;
  return lastResult?.initialValue ? draftLines(lastResult.initialValue.lines) : data.lines;
}

/** Adds the products of the lines to the form's address: an answer shows their stock. */
export function withProducts(url: string, lines: DraftLine[]): string {
  const products = [...new Set(lines.map(({ productId }) => productId))].filter(Boolean).join();
  return products ? `${url}${url.endsWith("?") ? "" : "&"}${new URLSearchParams({ products })}` : url;
}
