/** What the inventory's action answers to a script, and to a page that is shown again (http/form-action.server.ts). */
export interface StockResponse {
  lastResult: {
    initialValue?: Record<string, unknown> | undefined;
    error?: Record<string, string[] | null> | null | undefined;
  } | null;
  /** Null when the stock was set. */
  failure: string | null;
}

/** What is wrong with the stock that was typed; what is wrong at all where it isn't the field's fault. */
export function stockError(answer: StockResponse | undefined): string | null {
  if (!answer || answer.failure === null) return null;
  return answer.lastResult?.error?.stock?.[0] ?? answer.failure;
}

/** What the stock is now, where somebody else has set it meanwhile. */
export function currentStock(answer: StockResponse): number | null {
  const told = answer.lastResult?.error?.was?.[0];
  return told && /^\d+$/.test(told) ? Number(told) : null;
}
