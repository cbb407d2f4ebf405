import { useNavigate } from "@remix-run/react";
import { type MutableRefObject, useRef, useState } from "react";
import { splitList } from "~/features/catalogue/product-fields";
import { showToast } from "~/ui/Toasts";
import { useFailureToast } from "~/ui/useCheckedForm";
import { type CreatedProduct, type SaveInput, StepError, type StepNumber, saveProduct } from "./save-steps";
import { IMAGE_REQUIRED, ProductFields } from "./schema";
import type { Images, Tile } from "./useImages";

export interface SaveState {
  /** Current or failed step; null before. */
  step: StepNumber | null;
  isBusy: boolean;
  failure: string | null;
  /** Result of the finished steps, and advice. */
  note: string | null;
  /** Error about these images, displayed until they change. */
  imageError: { message: string; tiles: Tile[] } | null;
  /** True when signing in lets it continue. */
  isSignedOut: boolean;
  /** Product created before a failure; the next attempt continues with it. */
  created: CreatedProduct | null;
}

const IDLE: SaveState = {
  step: null,
  isBusy: false,
  failure: null,
  note: null,
  imageError: null,
  isSignedOut: false,
  created: null,
};

interface ProductSave extends Omit<SaveInput, "seenStock"> {
  back: string;
  /** Set to true right before leaving. */
  isDone: MutableRefObject<boolean>;
}

/**
 * Saves a product in steps: create it, upload its images, store the image list. Saving again after a failure continues at
 * the failed step.
 */
export function useProductSave(input: ProductSave) {
  const { isNew, images, back, isDone } = input;
  const navigate = useNavigate();
  const [state, setState] = useState<SaveState>(IDLE);
  const created = useRef<CreatedProduct | null>(null);
  const seenStock = useRef<string | null>(null);
  useFailureToast(state);
  const update = (change: Partial<SaveState>) => setState(({ created }) => ({ ...IDLE, created, ...change }));

  /** Displays an error about the images, if any. @returns true for an error */
  const check = (form: HTMLFormElement) => {
    const message = addTypedUrl(images, form) ?? imagesProblem(images.current());
    update({ imageError: message === null ? null : { message, tiles: images.current() } });
    return message !== null;
  };

  async function save(form: HTMLFormElement, colors: string[]): Promise<void> {
    if (check(form)) return focusOn(form, "files");
    images.clearProblems();
    const fields = { ...textFields(form), colors: withTypedColors(colors, form) };
    try {
      await saveProduct({ ...input, seenStock }, created, fields, (step) => update({ step, isBusy: true }));
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      const { step, message, isSignedOut } = error;
      const note = failureNote(step, created.current?.name);
      return update({ step, failure: message, note, isSignedOut, created: created.current });
    }
    isDone.current = true;
    void showToast("success", isNew ? "Product created successfully!" : "Product updated successfully!");
    navigate(back, { replace: true, preventScrollReset: true });
  }

  const imageProblem = state.imageError?.tiles === images.tiles ? state.imageError.message : undefined;
  return { state, imageProblem, check, run: save };
}

/** Describes what is saved although a step failed. @param name of the created product, if any */
function failureNote(step: StepNumber, name: string | undefined): string {
  if (name === undefined) return "What you typed is still here.";
  const rest =
    step === 1 ? "but not all of its images" : "and its images are uploaded, but it doesn’t show them yet";
  return `“${name}” has been added, ${rest}. Try again goes on from here.`;
}

function imagesProblem(tiles: Tile[]): string | null {
  if (tiles.some(({ state }) => state === "processing")) return "An image is still being processed";
  return tiles.length === 0 ? IMAGE_REQUIRED : null;
}

/** Adds a URL that was typed but not added yet. @returns an error message or null */
function addTypedUrl(images: Images, form: HTMLFormElement): string | null {
  const input = form.elements.namedItem("addImages");
  if (!(input instanceof HTMLInputElement) || input.value.trim() === "") return null;
  const problem = images.addUrl(input.value);
  if (problem === null) input.value = "";
  return problem;
}

function focusOn(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

function textFields(form: HTMLFormElement): Record<string, unknown> {
  const data = new FormData(form);
  return Object.fromEntries(Object.keys(ProductFields.shape).map((name) => [name, data.get(name)]));
}

/** Includes colors that were typed but not added yet. */
function withTypedColors(colors: string[], form: HTMLFormElement): string[] {
  const typed = new FormData(form).get("addColors");
  return [...colors, ...splitList(typeof typed === "string" ? typed : "")];
}
