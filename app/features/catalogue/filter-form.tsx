import { type FormEvent, useEffect, useRef } from "react";
import type { Category } from "~/domain/categories";
import { parseAmount } from "~/domain/typed-amount";
import { useLatest } from "~/ui/latest";
import { useIsLeaving } from "~/ui/leaving";
import { useNavigate } from "~/ui/navigation";
import type { ShopFilter, Sort } from "./schema";
import { shopUrl } from "./urls";

/** Delay of the search after the last key, ms. */
const DEBOUNCE = 300;

/** Hidden fields for a form's other filters. */
export function OtherFilters({ filter }: { filter: ShopFilter }) {
  const [, query] = shopUrl(filter).split("?");
  if (!query) return null;
  return [...new URLSearchParams(query)].map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

/** Navigates to what a form of the shop says, at once or debounced. */
export function useFilterForm(filter: ShopFilter) {
  const navigate = useNavigate();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const latest = useLatest(filter);
  const isLeaving = useLatest(useIsLeaving());
  const go = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    if (isLeaving.current) return;
    const next = filterOf(new FormData(form));
    const current = latest.current;
    // Continued typing replaces the history entry, as results do the field that a phone was led to.
    const isTyped = current.search !== "" && next.search !== "" && current.search !== next.search;
    const replace = isTyped || location.hash === "#search";
    const url = shopUrl(next);
    if (url !== shopUrl(current)) navigate(url, { replace, preventScrollReset: true });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
    go(event.currentTarget);
  };
  const submitSoon = ({ currentTarget: { form } }: FormEvent<HTMLInputElement | HTMLSelectElement>) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => form && go(form), DEBOUNCE);
  };
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { submit, submitSoon, cancel, go };
}

function filterOf(data: FormData): Partial<ShopFilter> {
  const text = (name: string) => String(data.get(name) ?? "").trim();
  const price = (name: string) => parseAmount(text(name))?.cents ?? null;
  const [low, high] = [price("min"), price("max")];
  const isInverted = low !== null && high !== null && low > high;
  return {
    search: text("search"),
    category: (text("category") || null) as Category | null,
    min: isInverted ? high : low,
    max: isInverted ? low : high,
    inStock: text("stock") === "in",
    sort: (text("sort") || "default") as Sort,
  };
}
