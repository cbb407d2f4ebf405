import { useNavigate } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import { type ListParams, listUrl } from "./list-params";

/** Milliseconds after the last key (storefront 9; back office 9). */
const DEBOUNCE = 300;

/**
 * Makes a list's plain form answer by itself: a search 300 ms after the last key, a filter at once. Without a script
 * it is sent by Enter or its button.
 *
 * @param params what the list is asked for now
 * @param names of the filters that the form holds
 */
export function useListForm(params: ListParams, names: string[]) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const sent = useRef("");
  const address = listUrl(params);

  const send = (isTyping: boolean) => {
    clearTimeout(timer.current);
    if (!form.current) return;
    const to = asked(form.current, params, names);
    if (to === address) return;
    sent.current = to;
    navigate(to, { preventScrollReset: true, replace: isTyping });
  };
  const latest = useRef(send);
  latest.current = send;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields follow the address, not the other way round
  useEffect(() => {
    if (form.current) show(form.current, params, sent.current === address);
  }, [address]);
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
      timer.current = setTimeout(() => latest.current(true), DEBOUNCE);
    },
  };
}

function asked(form: HTMLFormElement, params: ListParams, names: string[]): string {
  const fields = new FormData(form);
  const said = (name: string) => String(fields.get(name) ?? "").trim();
  const own = names.map((name) => [name, said(name)] as const);
  const filters = { ...params.filters, ...Object.fromEntries(own) };
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
  return listUrl(params, { q: said("q"), filters: set });
}

/** Writes the place into the form's fields; what is being typed stays when it is further than what it asked for. */
function show(form: HTMLFormElement, { q, filters }: ListParams, isOwn: boolean): void {
  for (const field of form.elements) {
    if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
    if (!field.name || field.type === "hidden" || (isOwn && field === document.activeElement)) continue;
    const value = field.name === "q" ? q : (filters[field.name] ?? "");
    if (field.value !== value) field.value = value;
  }
}
