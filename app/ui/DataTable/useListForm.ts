import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import { type ListParams, listUrl } from "./list-params";

/** Delay of a search after the last key, ms. */
const SEARCH_DELAY = 300;

/**
 * Applies a list form without submitting: a search after SEARCH_DELAY, a filter at once.
 *
 * @param names of the filters in the form
 */
export function useListForm(params: ListParams, names: string[]) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const sent = useRef("");
  const url = listUrl(params);

  const send = (isTyping: boolean) => {
    clearTimeout(timer.current);
    if (!form.current) return;
    const to = formUrl(form.current, params, names);
    if (to === url) return;
    sent.current = to;
    navigate(to, { preventScrollReset: true, replace: isTyping });
  };
  const latest = useRef(send);
  latest.current = send;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields follow the URL, not the other way round
  useEffect(() => {
    if (form.current) fillForm(form.current, params, sent.current === url);
  }, [url]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    form,
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      send(false);
    },
    onInput: ({ target }: FormEvent) => {
      const field = target as HTMLInputElement;
      if (!field.name || !field.validity.valid) return;
      if (field.tagName === "SELECT") return send(false);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current(true), SEARCH_DELAY);
    },
  };
}

function formUrl(form: HTMLFormElement, params: ListParams, names: string[]): string {
  const fields = new FormData(form);
  const value = (name: string) => String(fields.get(name) ?? "").trim();
  const entries = names.map((name) => [name, value(name)] as const);
  const filters = { ...params.filters, ...Object.fromEntries(entries) };
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  return listUrl(params, { q: value("q"), filters: set });
}

/** Writes the parameters into the form; after its own navigation the focused field keeps the text typed since. */
function fillForm(form: HTMLFormElement, { q, filters }: ListParams, isOwn: boolean): void {
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    if (!field.name || field.type === "hidden" || (isOwn && field === document.activeElement)) continue;
    const value = field.name === "q" ? q : (filters[field.name] ?? "");
    if (field.value !== value) field.value = value;
  }
}
