import { ArrowLeft, ArrowRight, ImagePlus, X } from "lucide-react";
import { type ChangeEvent, type ReactNode, type RefObject, useRef } from "react";
import { IMAGE_TYPES } from "~/features/storage/formats/header";
import { described, FieldNotes } from "~/ui/Field";
import { Picture } from "~/ui/Picture";
import { useDropped } from "~/ui/useDropped";
import { useEarlyFiles } from "~/ui/useEarlyFiles";
import { AddLine } from "./AddLine";
import { type DragEvents, useDragging } from "./useDragging";
import type { Images, Tile } from "./useImages";

interface ImageFieldProps {
  images: Images;
  error: string | undefined;
  /** The address that was typed into a form that was refused. */
  typed: string | undefined;
}

const ACCEPT = [...IMAGE_TYPES, ".heic", ".heif"].join(",");

const HINT = "JPEG, PNG, WebP, GIF, BMP, HEIC or HEIF. The first one stands on the product's card.";

/** The images of a product: pick, see, order, remove. Without a script they are kept by boxes and ordered by numbers. */
export function ImageField({ images, error, typed }: ImageFieldProps) {
  const { tiles } = images;
  const list = useRef<HTMLUListElement>(null);
  const { move, remove } = actsOn(images, list);
  const drag = useDragging(images.move);
  const dropped = useDropped((files) => void images.addFiles(files));
  return (
    <fieldset className="field images" id="product-imageUrls" {...dropped}>
      <legend>Images</legend>
      <ul className="tiles" ref={list}>
        {tiles.map((tile, place) => (
          <TileItem key={tile.key} tile={tile} place={place} count={tiles.length} drag={drag(tile, place)}>
            <TileActs
              tile={tile}
              place={place}
              count={tiles.length}
              onMove={(by) => move(place, by)}
              onRemove={() => remove(place)}
            />
          </TileItem>
        ))}
        <Pick onFiles={(files) => void images.addFiles(files)} error={error} />
      </ul>
      <Told problems={images.problems} />
      <AddLine
        id="product-addImages"
        name="addImages"
        label="Image address"
        thing="image"
        placeholder="https://…"
        typed={typed}
        add={images.addAddress}
      />
      <FieldNotes id="product-images" error={error} hint={HINT} />
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
    <li className="pick">
      <label htmlFor="product-files">
        <ImagePlus className="i" aria-hidden="true" />
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
        {...described("product-images", error, " ")}
      />
    </li>
  );
}

/** What became of files, for everyone. */
function Told({ problems }: { problems: string[] }) {
  return (
    <div role="status" className="told">
      {problems.map((problem, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same to tell
        <p className="error" key={place}>
          {problem}
        </p>
      ))}
    </div>
  );
}

interface TileItemProps {
  tile: Tile;
  place: number;
  count: number;
  drag: DragEvents;
  children: ReactNode;
}

function TileItem({ tile, place, count, drag, children }: TileItemProps) {
  const { entry, state, part, name } = tile;
  return (
    <li className="tile" data-tile={tile.key} {...drag}>
      <TilePicture tile={tile} place={place} />
      {place === 0 && <span className="main-pic">Main</span>}
      {state === "making" && <span className="spin" aria-label={`Processing ${name}`} role="img" />}
      {state === "sending" && <progress max={1} value={part} aria-label={`Uploading ${name}`} />}
      {entry !== null && (
        <span className="no-script">
          <input type="hidden" name="tile" value={entry} />
          <label className="check">
            <input type="checkbox" name="imageUrls" value={entry} defaultChecked /> Keep
          </label>
          <label className="check">
            Place
            <input
              className="input"
              type="number"
              name="place"
              min="1"
              max={count}
              defaultValue={place + 1}
              aria-label={`Place of image ${place + 1}`}
            />
          </label>
        </span>
      )}
      {children}
    </li>
  );
}

function TilePicture({ tile: { entry, preview, name }, place }: { tile: Tile; place: number }) {
  if (preview) return <img src={preview} alt={name} draggable={false} />;
  if (entry !== null) return <Picture image={entry} alt={`Image ${place + 1}`} sizes="112px" width={160} />;
  return <span className="no-pic" aria-hidden="true" />;
}

interface TileActsProps {
  tile: Tile;
  place: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function TileActs({ tile, place, count, onMove, onRemove }: TileActsProps) {
  const name = `image ${place + 1}`;
  return (
    <span className="tile-acts needs-script">
      <button
        type="button"
        className="ico"
        data-move="-1"
        disabled={place === 0}
        aria-label={`Move ${name} earlier`}
        onClick={() => onMove(-1)}
      >
        <ArrowLeft className="i s" aria-hidden="true" />
      </button>
      <button
        type="button"
        className="ico bad"
        aria-label={`Remove ${name}`}
        disabled={tile.state === "sending"}
        onClick={onRemove}
      >
        <X className="i s" aria-hidden="true" />
      </button>
      <button
        type="button"
        className="ico"
        data-move="1"
        disabled={place === count - 1}
        aria-label={`Move ${name} later`}
        onClick={() => onMove(1)}
      >
        <ArrowRight className="i s" aria-hidden="true" />
      </button>
    </span>
  );
}

/** The focus goes to what is now in the place of what was removed, else to what was before it. */
function focusNear(list: HTMLElement | null, place: number): void {
  const buttons = list?.querySelectorAll<HTMLButtonElement>(".tile button.bad:enabled") ?? [];
  const picker = list?.querySelector<HTMLInputElement>("input[type=file]");
  (buttons[Math.min(place, buttons.length - 1)] ?? picker)?.focus();
}

/** The focus goes along with what was moved. */
function focusOn(list: HTMLElement | null, key: string, by: -1 | 1): void {
  const tile = list?.querySelector(`[data-tile="${CSS.escape(key)}"]`);
  const same = tile?.querySelector<HTMLButtonElement>(`[data-move="${by}"]:enabled`);
  (same ?? tile?.querySelector<HTMLButtonElement>("[data-move]:enabled"))?.focus();
}
