import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { storeDraft, storedDraft } from "~/ui/drafts";
import { useNavigate } from "~/ui/navigation";
import { type DraftLine, draftLines, typedText } from "./draft";
import { withProducts } from "./useLinesForm";

interface KeptSaleOptions {
  /** Name of the draft. */
  name: string;
  /** Address of the form without its products. */
  url: string;
  lines: DraftLine[];
  /** Lines of the form without those that its address names. */
  proposedLines: DraftLine[];
  /** Values of the fields beside the lines, as the page proposes them. */
  proposed: Record<string, string>;
  replace: (lines: DraftLine[]) => void;
  /** Idempotency key of the form. */
  id: string;
  setId: (id: string) => void;
  /** Values of fields that are chosen, as the page proposes them and as they are. */
  proposedChoice: Record<string, string>;
  choice: Record<string, string>;
  choose: (fields: Record<string, string>) => void;
  /** False after an answer, whose lines are newer. */
  isNew: boolean;
}

/**
 * Keeps a half-filled sale on this device through navigations and reloads, until it is recorded or cleared. It replaces
 * the lines that the address names, which are those of an earlier state of it. Its id is kept too: a sale whose answer was
 * lost is recorded once, also when its form is sent from another page.
 *
 * @returns `isRestored`, true when the form shows a kept sale, and `clear`, which returns to the proposed lines
 */
export function useKeptSale(options: KeptSaleOptions) {
  const { name, url, id, setId, lines, proposed, replace, choice, choose, isNew } = options;
  const [isRestored, setRestored] = useState(false);
  const [isRecorded, open] = [useIsRecorded(), useOpen()];
  const initial = useRef({ lines, choice });
  const isCleared = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    const kept = isNew ? parseDraft(storedDraft(name)) : null;
    if (!kept) return;
    replace(kept.lines);
    choose({ ...options.proposedChoice, ...kept.fields });
    fillFields(kept.fields);
    if (kept.id) setId(kept.id);
    setRestored(true);
    // Loads the products of the lines.
    open(withProducts(url, kept.lines));
  }, []);
  useNamedLines(lines, () => open(url));
  useEffect(() => {
    if (isRecorded) return storeDraft(name, "");
    if (isCleared.current) initial.current = { lines, choice };
    isCleared.current = false;
    const fields = () => ({ ...changedFields(proposed), ...choice });
    const save = () => storeDraft(name, JSON.stringify({ id, lines, fields: fields() }));
    if (lines !== initial.current.lines || choice !== initial.current.choice) save();
    return onFormInput(save);
  }, [name, id, lines, choice, isRecorded, proposed]);
  const clear = () => {
    isCleared.current = true;
    setId(nextId(id));
    replace(options.proposedLines);
    choose(options.proposedChoice);
    fillFields(proposed);
    storeDraft(name, "");
    setRestored(false);
    open(url);
  };
  return { isRestored, clear };
}

/** Returns the idempotency key of another sale of the same form. */
export const nextId = (id: string): string => `${id.slice(0, 36)}-${Date.now().toString(36)}`;

/** Calls `save` for each input in the form. @returns ends it */
function onFormInput(save: () => void): () => void {
  const onInput = ({ target }: Event) => {
    if ((target as Element).closest(".sale-form")) save();
  };
  document.addEventListener("input", onInput);
  return () => document.removeEventListener("input", onInput);
}

/** Returns a function that changes the address of the form, at once for a reload that doesn't wait for the page's data. */
function useOpen() {
  const navigate = useNavigate();
  return (to: string) => {
    history.replaceState(history.state, "", to);
    navigate(to, { replace: true, preventScrollReset: true });
  };
}

/** Calls `forget` when the last line is removed while the address names lines, which a reload would bring back. */
function useNamedLines(lines: DraftLine[], forget: () => void): void {
  const { search } = useLocation();
  const isStale = lines.length === 0 && new URLSearchParams(search).has("products");
  const hadLines = useRef(false);
  useEffect(() => {
    if (isStale && hadLines.current) forget();
    hadLines.current = lines.length > 0;
  });
}

/** True from the answer that the sale is recorded, which leads to another page of the back office or the next sale. */
function useIsRecorded(): boolean {
  const here = useLocation().pathname;
  const { state, formData, location } = useNavigation();
  if (state !== "loading" || formData?.get("intent") !== "record") return false;
  const isNext = new URLSearchParams(location.search).has("last");
  return isNext || (location.pathname !== here && location.pathname.startsWith("/admin/"));
}

/** Sale that is kept; the id is "" in drafts of earlier versions. */
interface Kept {
  id: string;
  lines: DraftLine[];
  fields: Record<string, string>;
}

/** Parses a draft; null without lines, a name and a customer, since a date alone is not worth keeping. */
function parseDraft(text: string): Kept | null {
  try {
    const { id, lines, fields } = JSON.parse(text || "{}") as Record<string, unknown>;
    const kept = draftLines(lines);
    const entries = Object.entries(fields ?? {}).map(([field, value]) => [field, typedText(value)]);
    const typed: Record<string, string> = Object.fromEntries(entries);
    const isWorth = kept.length > 0 || "customerName" in typed || Boolean(typed.customerId);
    return isWorth ? { id: typedText(id), lines: kept, fields: typed } : null;
  } catch {
    return null;
  }
}

const inputOf = (name: string) =>
  document.querySelector<HTMLInputElement>(`.sale-form input[name="${name}"]`);

/** Returns what was typed; today's date, as the form proposes it, is another one tomorrow. */
function changedFields(proposed: Record<string, string>): Record<string, string> {
  const typed = Object.keys(proposed).map((name) => [name, inputOf(name)?.value ?? ""] as const);
  return Object.fromEntries(typed.filter(([name, value]) => value !== proposed[name]));
}

/** Fills fields of the form by name. */
export function fillFields(fields: Record<string, string>): void {
  for (const [name, value] of Object.entries(fields)) {
    const input = inputOf(name);
    if (input) input.value = value;
  }
}
