import { useNavigate } from "@remix-run/react";
import { useRef, useState } from "react";
import { showToast } from "~/ui/Toasts";
import { listed } from "../bulk/draft";
import { sendImage, sendProduct } from "./calls";
import { ONE_IMAGE } from "./form-schema";
import type { Images, Tile } from "./useImages";

/** The steps of saving, in order (back office 4, Product save). */
export const STEPS = ["Product", "Images", "Image list"] as const;

/** How far saving is. */
export interface SaveState {
  /** The step that is being done, or failed; null before. */
  step: 0 | 1 | 2 | null;
  isBusy: boolean;
  problem: string | null;
  imageProblem: string | undefined;
}

const IDLE: SaveState = { step: null, isBusy: false, problem: null, imageProblem: undefined };

interface Saving {
  /** The product's id; null for a new one. */
  known: string | null;
  /** What its form held at first. */
  begun: Record<string, unknown>;
  images: Images;
  /** Where it leads when all is done. */
  back: string;
  /** Told right before. */
  done: () => void;
}

/**
 * Saves a product step by step: created first, then its images uploaded, then told of them. Where a step fails, what was
 * done stays done, and saving again goes on from there.
 */
export function useProductSave(saving: Saving) {
  const { known, images, back, done } = saving;
  const navigate = useNavigate();
  const [state, setState] = useState<SaveState>(IDLE);
  const id = useRef(known);

  /** Says what is wrong with the images, together with what is wrong elsewhere. */
  const check = () => setState({ ...IDLE, imageProblem: problemOf(images.now()) ?? undefined });

  async function save(form: HTMLFormElement, colors: string[]): Promise<void> {
    if (problemOf(images.now())) return check();
    const fields = { ...fieldsOf(form), colors: withTyped(colors, form) };
    try {
      await storeAll(saving, id, fields, (step) => setState({ ...IDLE, step, isBusy: true }));
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      return setState({ ...IDLE, step: error.step, problem: error.message });
    }
    done();
    void showToast("success", known ? "Product updated successfully!" : "Product created successfully!");
    navigate(back, { replace: true, preventScrollReset: true });
  }

  const imageProblem = state.imageProblem && problemOf(images.tiles);
  /** Whether the product is stored already, and saving goes on with its images. */
  const isKept = known === null && id.current !== null;
  return { state: { ...state, imageProblem: imageProblem ?? undefined }, isKept, check, run: save };
}

type StepNumber = 0 | 1 | 2;

/** A step that failed, with what is told of it. */
class StepFailed extends Error {
  constructor(
    readonly step: StepNumber,
    words: string,
    error: unknown,
  ) {
    super(words + wordsOf(error));
  }
}

/**
 * The steps of saving, from the first that isn't done yet.
 *
 * @param id of the product, put there once it is known
 * @param at told each step as it begins
 * @throws StepFailed
 */
async function storeAll(
  { known, begun, images }: Saving,
  id: { current: string | null },
  fields: Record<string, unknown>,
  at: (step: StepNumber) => void,
): Promise<void> {
  const failed = (step: StepNumber, words: string) => (error: unknown) => {
    throw new StepFailed(step, words, error);
  };
  const [unsaved, unsent] = ["Failed to save product: ", "Failed to upload images: "];
  at(0);
  const entries = images.now().flatMap(({ entry }) => entry ?? []);
  id.current ??= await sendProduct(null, { ...fields, imageUrls: entries }).catch(failed(0, unsaved));
  at(1);
  const uploaded = await uploadAll(id.current, images).catch(failed(1, unsent));
  at(2);
  const imageUrls = images.now().flatMap(({ key, entry }) => entry ?? uploaded.get(key) ?? []);
  const whole = { ...fields, imageUrls };
  await sendProduct(id.current, known ? changed(whole, begun) : whole).catch(failed(2, unsaved));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "Unknown error";
}

function problemOf(tiles: Tile[]): string | null {
  if (tiles.some(({ state }) => state === "making")) return "An image is still being processed";
  return tiles.length === 0 ? ONE_IMAGE : null;
}

function fieldsOf(form: HTMLFormElement): Record<string, unknown> {
  const data = new FormData(form);
  return Object.fromEntries(
    ["name", "description", "price", "stock", "category"].map((name) => [name, data.get(name)]),
  );
}

/** Only what somebody changed is sent: what others changed meanwhile stays. */
function changed(fields: Record<string, unknown>, begun: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(begun[name])),
  );
}

/** What was typed and not yet added counts, too. */
function withTyped(colors: string[], form: HTMLFormElement): string[] {
  const typed = new FormData(form).get("addColors");
  return [...colors, ...listed(typeof typed === "string" ? typed : "")];
}

/** Uploads what isn't yet; what was uploaded before a failure isn't sent again. */
async function uploadAll(id: string, images: Images): Promise<Map<string, string>> {
  const uploaded = new Map<string, string>();
  for (const { key, entry, blob, name } of images.now()) {
    if (entry !== null || !blob) continue;
    images.change(key, { state: "sending", part: 0 });
    try {
      const made = await sendImage(id, { blob, name }, (part) => images.change(key, { part }));
      uploaded.set(key, made);
      images.change(key, { entry: made, state: "kept", part: 1 });
    } catch (error) {
      images.change(key, { state: "ready", part: 0 });
      throw error;
    }
  }
  return uploaded;
}
