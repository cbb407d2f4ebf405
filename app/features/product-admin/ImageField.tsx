import { type ChangeEvent, type RefObject, useRef } from "react";
import { IMAGE_TYPES } from "~/features/storage/formats/header";
import { describedBy, FieldNotes } from "~/ui/Field";
import type { FormFailure } from "~/ui/form-failure";
import { Icon } from "~/ui/Icon";
import { useEarlyFiles } from "~/ui/useEarlyFiles";
import { AddEntry } from "./AddEntry";
import { submittedError, submittedImages, submittedText } from "./form-values";
import { ImageTile } from "./ImageTile";
import { useDragging } from "./useDragging";
import type { Images } from "./useImages";

interface ImageFieldProps {
  images: Images;
  isSaving: boolean;
  /** What is wrong with them, before anything is sent. */
  problem: string | undefined;
  /** What the page's action answered. */
  refused: FormFailure | undefined;
}

const ACCEPT = [...IMAGE_TYPES, ".heic", ".heif"].join(",");

const HINT =
  "JPEG, PNG, WebP, GIF or BMP; HEIC and HEIF where the browser can open them. The first one stands on the product’s card.";

/** The images of a product: pick, see, order, remove. Without a script they are kept by boxes and ordered by numbers. */
export function ImageField({ images, isSaving, problem, refused }: ImageFieldProps) {
  const error = problem ?? submittedError(refused, "imageUrls") ?? submittedError(refused, "files");
  const { tiles } = images;
  const list = useRef<HTMLUListElement>(null);
  const { move, remove } = actsOn(images, list);
  const drag = useDragging(images.move);
  return (
    <fieldset className="field images" id="product-imageUrls">
      <legend>Images</legend>
      <ul className="image-tiles" ref={list}>
        {tiles.map((tile, place) => (
          <ImageTile
            key={tile.key}
            tile={tile}
            place={place}
            count={tiles.length}
            drag={drag(tile, place)}
            isSaving={isSaving}
            sent={submittedImages(refused)}
            onMove={(by) => move(place, by)}
            onRemove={() => remove(place)}
          />
        ))}
        <Pick onFiles={(files) => void images.addFiles(files)} error={error} />
      </ul>
      <Told problems={images.problems} />
      <FieldNotes id="product-images" error={error} hint={HINT} />
      <AddEntry
        id="product-addImages"
        name="addImages"
        label="Image address"
        thing="image"
        placeholder="https://…"
        typed={submittedText(refused, "addImages")}
        add={images.addAddress}
      />
    </fieldset>
  );
}

/** What a tile's buttons do; the focus stays among the tiles. */
function actsOn(images: Images, list: RefObject<HTMLUListElement>) {
  const keyAt = (place: number) => images.tiles[place]?.key ?? "";
  return {
    move: (place: number, by: -1 | 1) => {
      const key = keyAt(place);
      images.move(key, place + by);
      requestAnimationFrame(() => focusOn(list.current, key, by));
    },
    remove: (place: number) => {
      images.remove(keyAt(place));
      requestAnimationFrame(() => focusNear(list.current, place));
    },
  };
}

interface PickProps {
  onFiles: (files: File[]) => void;
  error: string | undefined;
}

function Pick({ onFiles, error }: PickProps) {
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])]);
    event.target.value = "";
  };
  const input = useEarlyFiles((files) => onFiles(files));
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
        onChange={pick}
        {...describedBy("product-images", error, HINT)}
      />
    </li>
  );
}

/** What became of files, for everyone. */
function Told({ problems }: { problems: string[] }) {
  return (
    <div role="status" className="status-message">
      {problems.map((problem) => (
        <p className="error" key={problem}>
          {problem}
        </p>
      ))}
    </div>
  );
}

/** The focus goes to what is now in the place of what was removed, else to what was before it. */
function focusNear(list: HTMLElement | null, place: number): void {
  const buttons = list?.querySelectorAll<HTMLButtonElement>(".image-tile button.danger:enabled") ?? [];
  const picker = list?.querySelector<HTMLInputElement>("input[type=file]");
  (buttons[Math.min(place, buttons.length - 1)] ?? picker)?.focus();
}

/** The focus goes along with what was moved. */
function focusOn(list: HTMLElement | null, key: string, by: -1 | 1): void {
  const tile = list?.querySelector(`[data-tile="${CSS.escape(key)}"]`);
  const same = tile?.querySelector<HTMLButtonElement>(`[data-move="${by}"]:enabled`);
  (same ?? tile?.querySelector<HTMLButtonElement>("[data-move]:enabled"))?.focus();
}
