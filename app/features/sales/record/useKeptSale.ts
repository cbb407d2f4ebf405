import { useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { storeDraft, storedDraft } from "~/ui/drafts";
import { useNavigate } from "~/ui/navigation";
import { type DraftLine, draftLines, typedText } from "./draft";
import { withProducts } from "./useLinesForm";

/** Fields beside the lines that a draft keeps. */
const KEPT_FIELDS = ["customerName", "createdAt"];

interface KeptSaleOptions {
  /** Name of the draft. */
  name: string;
  /** Address of the form without its products. */
  url: string;
  lines: DraftLine[];
  replace: (lines: DraftLine[]) => void;
  /** False after an answer, whose lines are newer. */
  isNew: boolean;
}

/**
 * Keeps a half-filled sale on this device through navigations and reloads, until it is recorded or cleared.
 *
 * @returns `isRestored`, true when the form shows a kept sale, and `clear`, which returns to the lines it began with
 */
export function useKeptSale({ name, url, lines, replace, isNew }: KeptSaleOptions) {
  const [isRestored, setRestored] = useState(false);
  const isRecording = useNavigation().formData?.get("intent") === "record";
  const navigate = useNavigate();
  const initial = useRef(lines);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    const kept = isNew ? parseDraft(storedDraft(name)) : null;
    if (!kept) return;
    replace(kept.lines);
    for (const field of KEPT_FIELDS) fill(field, kept.fields[field]);
    setRestored(true);
    // Loads the products of the lines.
    navigate(withProducts(url, kept.lines), { replace: true, preventScrollReset: true });
  }, []);
  useEffect(() => {
    if (isRecording) return storeDraft(name, "");
    if (lines === initial.current) return;
    const save = () => storeDraft(name, JSON.stringify({ lines, fields: typedFields() }));
    save();
    document.addEventListener("input", save);
    return () => document.removeEventListener("input", save);
  }, [name, lines, isRecording]);
  const clear = () => {
    replace(initial.current);
    storeDraft(name, "");
    setRestored(false);
  };
  return { isRestored, clear };
}

/** Parses a draft; null without lines. */
function parseDraft(text: string): { lines: DraftLine[]; fields: Record<string, string> } | null {
  try {
    const { lines, fields } = JSON.parse(text || "{}") as Record<string, unknown>;
    const kept = draftLines(lines);
    const entries = Object.entries(fields ?? {}).map(([field, value]) => [field, typedText(value)]);
    return kept.length > 0 ? { lines: kept, fields: Object.fromEntries(entries) } : null;
  } catch {
    return null;
  }
}

const inputOf = (name: string) =>
  document.querySelector<HTMLInputElement>(`.sale-form input[name="${name}"]`);

const typedFields = () =>
  Object.fromEntries(KEPT_FIELDS.map((field) => [field, inputOf(field)?.value ?? ""]));

function fill(name: string, value: string | undefined): void {
  const input = inputOf(name);
  if (input && value) input.value = value;
}
