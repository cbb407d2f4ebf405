import { Icon } from "~/ui/Icon";
import { STEPS } from "./save-steps";
import type { Tile } from "./useImages";
import type { SaveState } from "./useProductSave";

interface SaveProgressProps {
  state: SaveState;
  isNew: boolean;
  tiles: Tile[];
}

/** Steps of saving with their state; the next attempt continues at the failed one. */
export function SaveProgress({ state: { step, isBusy }, isNew, tiles }: SaveProgressProps) {
  const current = step ?? 0;
  const stepState = (index: number): StepState => {
    if (index !== current) return index < current ? "done" : "to come";
    return isBusy ? "under way" : "failed";
  };
  return (
    <ol className="save-steps">
      {STEPS.map((name, index) =>
        index === 0 && !isNew ? null : (
          <Step key={name} state={stepState(index)}>
            {index === 1 ? name + uploadCount(tiles) : name}
          </Step>
        ),
      )}
    </ol>
  );
}

/** Announces the current step to screen readers. */
export function progressMessage({ step }: SaveState, tiles: Tile[]): string {
  const uploading = tiles.find(({ state }) => state === "uploading");
  if (step === 1 && uploading) return `Uploading ${uploading.name}, image${uploadCount(tiles, 1)}`;
  return step === 2 ? "Saving the image list" : "Saving the product";
}

/** Formats the number of uploaded files. */
function uploadCount(tiles: Tile[], extra = 0): string {
  const files = tiles.filter(({ blob }) => blob);
  const done = files.filter(({ entry }) => entry !== null);
  return files.length > 0 ? ` ${done.length + extra} of ${files.length}` : "";
}

type StepState = "done" | "under way" | "failed" | "to come";

function Step({ state, children }: { state: StepState; children: string }) {
  return (
    <li aria-current={state === "under way" || state === "failed" ? "step" : undefined} data-state={state}>
      {state === "done" && <Icon name="check" className="i s" />}
      {state === "under way" && <span className="spinner" aria-hidden="true" />}
      {state === "failed" && <Icon name="circle-alert" className="i s" />}
      {children}
      <span className="visually-hidden"> {state}</span>
    </li>
  );
}
