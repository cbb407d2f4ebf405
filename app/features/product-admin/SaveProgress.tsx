import { Icon } from "~/ui/Icon";
import { STEPS } from "./save-steps";
import type { Tile } from "./useImages";
import type { SaveState } from "./useProductSave";

interface SaveProgressProps {
  state: SaveState;
  isNew: boolean;
  tiles: Tile[];
}

/** Which step of saving is done, under way, or failed: the next try goes on from there. */
export function SaveProgress({ state: { step, isBusy }, isNew, tiles }: SaveProgressProps) {
  const at = step ?? 0;
  const stateOf = (place: number): StepState => {
    if (place !== at) return place < at ? "done" : "to come";
    return isBusy ? "under way" : "failed";
  };
  return (
    <ol className="save-steps">
      {STEPS.map((name, place) =>
        place === 0 && !isNew ? null : (
          <Step key={name} state={stateOf(place)}>
            {place === 1 ? name + countOf(tiles) : name}
          </Step>
        ),
      )}
    </ol>
  );
}

/** What is being saved, in words for those who can't see it. */
export function progressMessage({ step }: SaveState, tiles: Tile[]): string {
  const sending = tiles.find(({ state }) => state === "sending");
  if (step === 1 && sending) return `Uploading ${sending.name}, image${countOf(tiles, 1)}`;
  return step === 2 ? "Saving the image list" : "Saving the product";
}

/** How many of the files are uploaded. */
function countOf(tiles: Tile[], more = 0): string {
  const files = tiles.filter(({ blob }) => blob);
  const done = files.filter(({ entry }) => entry !== null);
  return files.length > 0 ? ` ${done.length + more} of ${files.length}` : "";
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
