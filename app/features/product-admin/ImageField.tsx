import { type ChangeEvent, type RefObject, useRef } from "react";
import { IMAGE_TYPES } from "~/features/storage/image-header";
import { describedBy, FieldNotes } from "~/ui/Field";
import { usePreselectedFiles } from "~/ui/file-input";
import { Icon } from "~/ui/Icon";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { ImageTile } from "./ImageTile";
import { AddEntry } from "./list-fields";
import { PlateEditor } from "./PlateEditor";
import { submittedError, submittedImages, submittedPlate, submittedText } from "./schema";
import { type Images, useDragging } from "./useImages";
import type { Plates } from "./usePlates";

interface ImageFieldProps {
  images: Images;
  isSaving: boolean;
  /** Error that the browser found. */
  clientError: string | undefined;
  refused: RefusedForm | undefined;
  plates: Plates;
  /** The product can be engraved, so its images have plates. */
  hasPlates: boolean;
}

/** Systems that do not know the types of HEIC and HEIF go by the extension. */
const ACCEPT = [...IMAGE_TYPES, ".heic", ".heif"].join(",");

const HINT =
  "JPEG, PNG, WebP, GIF or BMP; HEIC and HEIF where the browser can open them. The first image is shown on the product’s card.";

/** Images of a product. Without JavaScript, checkboxes keep them and number fields order them. */
export function ImageField({ images, isSaving, clientError, refused, plates, hasPlates }: ImageFieldProps) {
  const error =
    clientError ??
    submittedError(refused, "imageUrls") ??
    submittedError(refused, "files") ??
    submittedError(refused, "plates");
  return (
    <fieldset className="field images col-6" id="product-imageUrls">
      <legend>Images</legend>
      <ImageTiles {...{ images, isSaving, refused, plates, hasPlates, error }} />
      {hasPlates && <OpenPlateEditor images={images} plates={plates} />}
      <FileErrors problems={images.problems} />
      <FieldNotes id="product-images" error={error} hint={HINT} />
      <AddEntry
        id="product-addImages"
        name="addImages"
        label="Image address"
        item="image"
        placeholder="https://…"
        defaultValue={submittedText(refused, "addImages")}
        add={images.addUrl}
      />
    </fieldset>
  );
}

type ImageTilesProps = Omit<ImageFieldProps, "clientError"> & { error: string | undefined };

function ImageTiles({ images, isSaving, refused, plates, hasPlates, error }: ImageTilesProps) {
  const { tiles } = images;
  const list = useRef<HTMLUListElement>(null);
  const { move, remove } = focusingActions(images, list);
  const drag = useDragging(images.move);
  return (
    <ul className="image-tiles" ref={list}>
      {tiles.map((tile, position) => (
        <ImageTile
          key={tile.key}
          tile={tile}
          position={position}
          count={tiles.length}
          drag={drag(tile, position)}
          isSaving={isSaving}
          submitted={submittedImages(refused)}
          plate={plates.of(tile.key)}
          typedPlate={submittedPlate(refused, position)}
          onPlate={hasPlates ? () => plates.open(tile.key) : null}
          isPlateOpen={plates.openKey === tile.key}
          onMove={(step) => move(position, step)}
          onRemove={() => remove(position)}
        />
      ))}
      <FilePicker onFiles={(files) => void images.addFiles(files)} error={error} />
    </ul>
  );
}

/** Editor of the plate that is open, if any. */
function OpenPlateEditor({ images, plates }: { images: Images; plates: Plates }) {
  const position = images.tiles.findIndex(({ key }) => key === plates.openKey);
  const tile = images.tiles[position];
  if (!tile) return null;
  return (
    <PlateEditor
      key={tile.key}
      tile={tile}
      position={position}
      plate={plates.of(tile.key)}
      onChange={(plate) => plates.set(tile.key, plate)}
      onClose={() => plates.open(null)}
    />
  );
}

/** Moves and removes images, keeping the focus among them. */
function focusingActions(images: Images, list: RefObject<HTMLUListElement>) {
  const keyAt = (position: number) => images.tiles[position]?.key ?? "";
  return {
    move: (position: number, step: -1 | 1) => {
      const key = keyAt(position);
      images.move(key, position + step);
      requestAnimationFrame(() => focusMoveButton(list.current, key, step));
    },
    remove: (position: number) => {
      images.remove(keyAt(position));
      requestAnimationFrame(() => focusRemoveButton(list.current, position));
    },
  };
}

function FilePicker({ onFiles, error }: { onFiles: (files: File[]) => void; error: string | undefined }) {
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])]);
    event.target.value = "";
  };
  const input = usePreselectedFiles(onFiles);
  return (
    <li className="image-picker">
      <label htmlFor="product-files">
        <Icon name="image-plus" />
        Add images
      </label>
      <input
        ref={input}
        id="product-files"
        type="file"
        name="files"
        multiple
        accept={ACCEPT}
        onChange={onChange}
        {...describedBy("product-images", error, HINT)}
      />
    </li>
  );
}

function FileErrors({ problems }: { problems: string[] }) {
  return (
    <div role="status" className="status-message">
      {problems.map((problem) => (
        <p className="error" key={problem}>
          <Icon name="circle-alert" />
          {problem}
        </p>
      ))}
    </div>
  );
}

/** Focuses the remove button at the position of a removed tile, else the last one, else the file field. */
function focusRemoveButton(list: HTMLElement | null, position: number): void {
  const buttons = list?.querySelectorAll<HTMLButtonElement>("[data-remove]:enabled") ?? [];
  const picker = list?.querySelector<HTMLInputElement>("input[type=file]");
  (buttons[Math.min(position, buttons.length - 1)] ?? picker)?.focus();
}

/** Focuses the pressed button of a moved tile, or the other one at the end of the list. */
function focusMoveButton(list: HTMLElement | null, key: string, step: -1 | 1): void {
  const tile = list?.querySelector(`[data-tile="${CSS.escape(key)}"]`);
  const same = tile?.querySelector<HTMLButtonElement>(`[data-move="${step}"]:enabled`);
  (same ?? tile?.querySelector<HTMLButtonElement>("[data-move]:enabled"))?.focus();
}
