import { createProduct, isSignedOut, updateProduct, uploadImage } from "./api";
import type { Images } from "./useImages";

/** The steps of saving, in order (back office 4, Product save). */
export const STEPS = ["Product", "Images", "Image list"] as const;

/** Which of them, from 0. */
export type StepNumber = 0 | 1 | 2;

/** What is saved, and where it stands already. */
export interface Saving {
  /** The product's id: a new one's is of the form's making, so that it may be sent twice. */
  id: string;
  isNew: boolean;
  /** What its form held at first. */
  begun: Record<string, unknown>;
  images: Images;
}

/** A product that was created by a saving that isn't done. */
export interface CreatedProduct {
  id: string;
  name: string;
}

/** A step that failed, with what is told of it. */
export class StepFailed extends Error {
  /** Whether it would go on after signing in. */
  readonly isSignedOut: boolean;

  constructor(
    readonly step: StepNumber,
    words: string,
    error: unknown,
  ) {
    super(words + wordsOf(error));
    this.isSignedOut = isSignedOut(error);
  }
}

/**
 * The steps of saving, from the first that isn't done yet.
 *
 * @param kept the product that an earlier try has created, put there once one is
 * @param at told each step as it begins
 * @throws StepFailed
 */
export async function saveProduct(
  saving: Saving,
  kept: { current: CreatedProduct | null },
  fields: Record<string, unknown>,
  at: (step: StepNumber) => void,
): Promise<void> {
  const { isNew, begun, images } = saving;
  const failed = (step: StepNumber, words: string) => (error: unknown) => {
    throw new StepFailed(step, words, error);
  };
  const [unsaved, unsent] = ["Failed to save product: ", "Failed to upload images: "];
  at(0);
  if (isNew && !kept.current) {
    const first = { ...fields, id: saving.id, imageUrls: images.now().flatMap(({ entry }) => entry ?? []) };
    const made = await createProduct(first).catch(failed(0, unsaved));
    kept.current = { id: made, name: String(fields.name) };
  }
  const id = kept.current?.id ?? saving.id;
  at(1);
  const uploaded = await uploadAll(id, images).catch(failed(1, unsent));
  at(2);
  const imageUrls = images.now().flatMap(({ key, entry }) => entry ?? uploaded.get(key) ?? []);
  const whole = { ...fields, imageUrls };
  await updateProduct(id, isNew ? whole : changed(whole, begun)).catch(failed(2, unsaved));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : "Unknown error";
}

/** Only what somebody changed is sent: what others changed meanwhile stays. */
function changed(fields: Record<string, unknown>, begun: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(begun[name])),
  );
}

/** Uploads what isn't yet; what was uploaded before a failure isn't sent again. */
async function uploadAll(id: string, images: Images): Promise<Map<string, string>> {
  const uploaded = new Map<string, string>();
  for (const { key, entry, blob, name } of images.now()) {
    if (entry !== null || !blob) continue;
    images.change(key, { state: "sending", part: 0 });
    try {
      const made = await uploadImage(id, { blob, name }, (part) => images.change(key, { part }));
      uploaded.set(key, made);
      images.change(key, { entry: made, state: "kept", part: 1 });
    } catch (error) {
      images.change(key, { state: "failed", part: 0 });
      throw error;
    }
  }
  return uploaded;
}
