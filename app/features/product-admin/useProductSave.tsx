import { useBeforeUnload, useBlocker } from "@remix-run/react";
import { type FormEvent, type MutableRefObject, useCallback, useEffect, useRef, useState } from "react";
import { decimalDollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { TypedUnitsRule } from "~/features/catalogue/units";
import { splitList } from "~/records/cells";
import { useLatest } from "~/ui/latest";
import { useNavigate } from "~/ui/navigation";
import { showToast } from "~/ui/Toasts";
import { useFailureToast } from "~/ui/useCheckedForm";
import { type CreatedProduct, type SaveInput, StepError, type StepNumber, saveProduct } from "./save-steps";
import { IMAGE_REQUIRED, ProductFields } from "./schema";
import { sentUnits } from "./sent-units";
import type { Images, Tile } from "./useImages";
import type { Units } from "./useUnits";

export interface SaveState {
  /** Current or failed step; null before. */
  step: StepNumber | null;
  isBusy: boolean;
  failure: string | null;
  /** Error messages by field. */
  problems: Record<string, string>;
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
  problems: {},
  note: null,
  imageError: null,
  isSignedOut: false,
  created: null,
};

interface ProductSave extends Omit<SaveInput, "seen"> {
  units: Units;
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
  const seen = useRef<Record<string, unknown>>({});
  useFailureToast(state);
  const update = (change: Partial<SaveState>) => setState(({ created }) => ({ ...IDLE, created, ...change }));

  /** Displays an error about the images, if any. @returns the field of it or of a plate; null without an error */
  const check = (form: HTMLFormElement): HTMLElement | null => {
    const message = addTypedUrl(images, form) ?? imagesProblem(images.current());
    const problems = unitProblems(input);
    update({ problems, imageError: message === null ? null : { message, tiles: images.current() } });
    const plate = form.querySelector<HTMLElement>(".plate-editor [aria-invalid]");
    const [unit] = Object.keys(problems);
    if (unit !== undefined) return unitControl(form, unit);
    return plate ?? (message === null ? null : form.querySelector<HTMLElement>("[name=files]"));
  };

  async function save(form: HTMLFormElement, colors: string[]): Promise<void> {
    images.clearProblems();
    const units = input.units.typed();
    const fields = { ...textFields(form), colors: withTypedColors(colors, form), units };
    try {
      await saveProduct({ ...input, seen }, created, fields, (step) => update({ step, isBusy: true }));
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      const { step, message, problems, isSignedOut } = error;
      const note = failureNote(step, created.current?.name);
      return update({ step, failure: message, problems, note, isSignedOut, created: created.current });
    }
    isDone.current = true;
    void showToast("success", isNew ? "Product created successfully!" : "Product updated successfully!");
    navigate(back, { replace: true, preventScrollReset: true });
  }

  const imageProblem = state.imageError?.tiles === images.tiles ? state.imageError.message : undefined;
  return { state, imageProblem, check, run: save };
}

/** Checks the typed options and units, as the server does. @returns messages by field */
function unitProblems({ units, openedUnits }: ProductSave): Record<string, string> {
  const { isCounted, options, units: rows } = units.typed();
  if (!isCounted) return {};
  if (rows.length === 0) return { units: "Add an option with its values: each of them becomes a choice." };
  const named = options.findIndex(({ name }) => name.trim() === "");
  if (named >= 0) return { [`options.${named}.name`]: "Name each option: Colour, Size, …" };
  const read = TypedUnitsRule.safeParse(sentUnits(units.typed(), openedUnits).units ?? undefined);
  const issues = read.success ? [] : read.error.issues.filter(({ path }) => path.length > 1);
  return Object.fromEntries(
    issues.reverse().map(({ path, message }) => [`units.${path.join(".")}`, message]),
  );
}

/** Finds the control of a problem of the options or units. */
function unitControl(form: HTMLFormElement, path: string): HTMLElement | null {
  const [list = "", index, field] = path.split(".");
  const control = form.querySelector<HTMLElement>(`[name="${list}[${index}].${field}"]`);
  return control ?? form.querySelector<HTMLElement>(".units-field .switch");
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

function textFields(form: HTMLFormElement): Record<string, unknown> {
  const data = new FormData(form);
  const fields = Object.fromEntries(Object.keys(ProductFields.shape).map((name) => [name, data.get(name)]));
  // The API takes plain decimals.
  const price = parseAmount(String(fields.price));
  return price ? { ...fields, price: decimalDollars(price.cents) } : fields;
}

/** Includes colors that were typed but not added yet. */
function withTypedColors(colors: string[], form: HTMLFormElement): string[] {
  const typed = new FormData(form).get("addColors");
  return [...colors, ...splitList(typeof typed === "string" ? typed : "")];
}

interface Unsaved {
  form: string;
  /** True when lists beside the form fields have changed. */
  isChanged: boolean;
  isSaving: boolean;
  isDone: MutableRefObject<boolean>;
  /** Text of the confirmation and label of the button that leaves. */
  labels: { message: string; leave: string };
}

/**
 * Asks for confirmation before unsaved changes are discarded.
 *
 * @returns `onInput` for the form; `confirmation` while it is open
 */
export function useUnsavedChanges({ form, isChanged, isSaving, isDone, labels }: Unsaved) {
  const hasTyped = useRef(false);
  const isUnsaved = useCallback(
    () => (hasTyped.current || isChanged || isSaving) && !isDone.current,
    [isChanged, isSaving, isDone],
  );
  const { isBlocked, leave, stay } = useLeaveBlocker(isUnsaved);
  useEffect(() => {
    // Saving dismisses the confirmation.
    if (isSaving && isBlocked()) stay();
  });
  useEffect(() => {
    // Browsers close a dialog on the second Escape, even if the first was cancelled.
    const dialog = document.getElementById(form)?.closest("dialog");
    const onClose = () => isBlocked() && leave();
    dialog?.addEventListener("close", onClose);
    return () => dialog?.removeEventListener("close", onClose);
  }, [form, isBlocked, leave]);
  return {
    onInput: (next: (event: FormEvent) => void) => (event: FormEvent) => {
      hasTyped.current = true;
      next(event);
    },
    confirmation:
      isBlocked() && !isSaving ? <Confirmation labels={labels} onLeave={leave} onStay={stay} /> : undefined,
  };
}

/** Blocks navigation and unloading of the page while changes are unsaved. */
function useLeaveBlocker(isUnsaved: () => boolean) {
  const blocker = useBlocker(isUnsaved);
  useBeforeUnload(
    useCallback(
      (event) => {
        if (isUnsaved()) event.preventDefault();
      },
      [isUnsaved],
    ),
  );
  const latest = useLatest(blocker);
  const isBlocked = useCallback(() => latest.current.state === "blocked", [latest]);
  const leave = useCallback(() => latest.current.proceed?.(), [latest]);
  const stay = useCallback(() => latest.current.reset?.(), [latest]);
  return { isBlocked, leave, stay };
}

interface ConfirmationProps {
  labels: Unsaved["labels"];
  onLeave: () => void;
  onStay: () => void;
}

function Confirmation({ labels, onLeave, onStay }: ConfirmationProps) {
  const stay = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const previous = document.activeElement;
    const dialog = stay.current?.closest("dialog");
    stay.current?.focus();
    return () => {
      const cancel = dialog?.querySelector<HTMLElement>("footer .btn");
      const isFocusable =
        previous instanceof HTMLElement && previous.isConnected && previous !== document.body;
      (isFocusable ? previous : cancel)?.focus();
    };
  }, []);
  return (
    <span className="unsaved" role="alert">
      <span>{labels.message}</span>
      <button type="button" className="btn" onClick={onLeave}>
        {labels.leave}
      </button>
      <button type="button" className="btn" ref={stay} onClick={onStay}>
        Keep editing
      </button>
    </span>
  );
}
