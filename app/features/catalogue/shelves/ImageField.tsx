import { ArrowLeft, ArrowRight, ImagePlus, X } from "lucide-react";
import { type ChangeEvent, type ReactNode, useRef } from "react";
import { IMAGE_TYPES } from "~/features/storage/formats/header";
import { described, FieldNotes } from "~/ui/Field";
import { Picture } from "~/ui/Picture";
import { useEarlyFiles } from "~/ui/useEarlyFiles";
import { AddLine } from "./AddLine";
import type { Images, Tile } from "./useImages";

interface ImageFieldProps {
  images: Images;
  error: string | undefined;
}

const ACCEPT = [...IMAGE_TYPES, ".heic", ".heif"].join(",");

const HINT = "JPEG, PNG, WebP, GIF, BMP, HEIC or HEIF. The first one stands on the product's card.";

/** The images of a product: pick, see, order, remove. Without a script they are kept by boxes and ordered by numbers. */
export function ImageField({ images, error }: ImageFieldProps) {
  const { tiles } = images;
  const list = useRef<HTMLUListElement>(null);
  const move = (tile: Tile, by: -1 | 1) => {
    images.move(tile.key, by);
    requestAnimationFrame(() => focusOn(list.current, tile.key, by));
  };
  return (
    <fieldset className="field images" id="product-imageUrls">
      <legend>Images</legend>
      <ul className="tiles" ref={list}>
        {tiles.map((tile, place) => (
          <TileItem key={tile.key} tile={tile} place={place} count={tiles.length}>
            <TileActs
              tile={tile}
              place={place}
              count={tiles.length}
              onMove={(by) => move(tile, by)}
              onRemove={() => images.remove(tile.key)}
            />
          </TileItem>
        ))}
        <Pick onFiles={(files) => void images.addFiles(files)} error={error} />
      </ul>
      <Told tiles={tiles} />
      <AddLine
        id="product-addImages"
        name="addImages"
        label="Image address"
        thing="image"
        placeholder="https://…"
        add={images.addAddress}
      />
      <FieldNotes id="product-images" error={error} hint={HINT} />
    </fieldset>
  );
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
function Told({ tiles }: { tiles: Tile[] }) {
  const failed = tiles.filter(({ problem }) => problem);
  return (
    <div role="status" className="told">
      {failed.map(({ key, problem }) => (
        <p className="error" key={key}>
          {problem}
        </p>
      ))}
    </div>
  );
}

function TileItem({
  tile,
  place,
  count,
  children,
}: {
  tile: Tile;
  place: number;
  count: number;
  children: ReactNode;
}) {
  const { entry, state, part, name } = tile;
  return (
    <li className={state === "failed" ? "tile is-failed" : "tile"} data-tile={tile.key}>
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
          <input
            className="input"
            type="number"
            name="place"
            min="1"
            max={count}
            defaultValue={place + 1}
            aria-label={`Place of image ${place + 1}`}
          />
        </span>
      )}
      {children}
    </li>
  );
}

function TilePicture({ tile: { entry, preview, name }, place }: { tile: Tile; place: number }) {
  if (preview) return <img src={preview} alt={name} />;
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

/** The focus goes along with what was moved. */
function focusOn(list: HTMLElement | null, key: string, by: -1 | 1): void {
  const tile = list?.querySelector(`[data-tile="${CSS.escape(key)}"]`);
  const same = tile?.querySelector<HTMLButtonElement>(`[data-move="${by}"]:enabled`);
  (same ?? tile?.querySelector<HTMLButtonElement>("[data-move]:enabled"))?.focus();
}
