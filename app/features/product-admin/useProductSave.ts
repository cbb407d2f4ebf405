import { useNavigate } from "@remix-run/react";
import { type MutableRefObject, useRef, useState } from "react";
import { splitList } from "~/features/product-import/draft";
import { showToast, useFailureToast } from "~/ui/Toasts";
import { type CreatedProduct, type Saving, StepFailed, type StepNumber, saveProduct } from "./save-steps";
import { IMAGE_REQUIRED } from "./schema";
import type { Images, Tile } from "./useImages";

/** How far saving is. */
export interface SaveState {
  /** The step that is being done, or failed; null before. */
  step: StepNumber | null;
  isBusy: boolean;
  /** Why it failed. */
  failure: string | null;
  /** What has been done all the same, and what to do now. */
  note: string | null;
  /** What is wrong with the images, and with which ones: said until they change. */
  wrong: { words: string; tiles: Tile[] } | null;
  /** Whether signing in lets it go on. */
  isSignedOut: boolean;
  /** The product that it created before it failed: saving goes on with that one. */
  kept: CreatedProduct | null;
}

const IDLE: SaveState = {
  step: null,
  isBusy: false,
  failure: null,
  note: null,
  wrong: null,
  isSignedOut: false,
  kept: null,
};

interface ProductSave extends Saving {
  /** Where it leads when all is done. */
  back: string;
  /** Becomes true right before. */
  isDone: MutableRefObject<boolean>;
}

/**
 * Saves a product step by step: created first, then its images uploaded, then told of them. Where a step fails, what was
 * done stays done, and saving again goes on from there.
 */
export function useProductSave(saving: ProductSave) {
  const { isNew, images, back, isDone } = saving;
  const navigate = useNavigate();
  const [state, setState] = useState<SaveState>(IDLE);
  const kept = useRef<CreatedProduct | null>(null);
  useFailureToast(state);
  const now = (change: Partial<SaveState>) => setState(({ kept }) => ({ ...IDLE, kept, ...change }));

  /** Says what is wrong with the images, together with what is wrong elsewhere; whether anything is. */
  const check = (form: HTMLFormElement) => {
    const words = withAddress(images, form) ?? problemOf(images.now());
    now({ wrong: words === null ? null : { words, tiles: images.now() } });
    return words !== null;
  };

  async function save(form: HTMLFormElement, colors: string[]): Promise<void> {
    if (check(form)) return focusOn(form, "files");
    const fields = { ...fieldsOf(form), colors: withTyped(colors, form) };
    try {
      await saveProduct(saving, kept, fields, (step) => now({ step, isBusy: true }));
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      const { step, message, isSignedOut } = error;
      const note = noteOf(step, kept.current?.name);
      return now({ step, failure: message, note, isSignedOut, kept: kept.current });
    }
    isDone.current = true;
    void showToast("success", isNew ? "Product created successfully!" : "Product updated successfully!");
    navigate(back, { replace: true, preventScrollReset: true });
  }

  const imageProblem = state.wrong?.tiles === images.tiles ? state.wrong.words : undefined;
  return { state, imageProblem, check, run: save };
}

/**
 * What stands although a step failed.
 *
 * @param name of the product that was created before, if one was
 */
function noteOf(step: StepNumber, name: string | undefined): string {
  if (name === undefined) return "What you typed is still here.";
  const rest =
    step === 1 ? "but not all of its images" : "and its images are uploaded, but it doesn’t show them yet";
  return `“${name}” has been added, ${rest}. Try again goes on from here.`;
}

function problemOf(tiles: Tile[]): string | null {
  if (tiles.some(({ state }) => state === "making")) return "An image is still being processed";
  return tiles.length === 0 ? IMAGE_REQUIRED : null;
}

/** An address that was typed and not yet added counts; what is wrong with it, or null. */
function withAddress(images: Images, form: HTMLFormElement): string | null {
  const line = form.elements.namedItem("addImages");
  if (!(line instanceof HTMLInputElement) || line.value.trim() === "") return null;
  const problem = images.addAddress(line.value);
  if (problem === null) line.value = "";
  return problem;
}

function focusOn(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

function fieldsOf(form: HTMLFormElement): Record<string, unknown> {
  const data = new FormData(form);
  return Object.fromEntries(
    ["name", "description", "price", "stock", "category"].map((name) => [name, data.get(name)]),
  );
}

/** Colors that were typed and not yet added count, too. */
function withTyped(colors: string[], form: HTMLFormElement): string[] {
  const typed = new FormData(form).get("addColors");
  return [...colors, ...splitList(typeof typed === "string" ? typed : "")];
}
