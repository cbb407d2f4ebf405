import { type ReactNode, useState } from "react";
import type { Plate } from "~/domain/engraving-plate";
import { Icon } from "~/ui/Icon";
import { Picture } from "~/ui/Picture";
import { PlainPlateFields } from "./PlateEditor";
import { type PlateTexts, plateTexts } from "./plates";
import type { SubmittedImages } from "./schema";
import type { DragEvents, Tile } from "./useImages";

interface ImageTileProps {
  tile: Tile;
  /** From 0. */
  position: number;
  count: number;
  drag: DragEvents;
  isSaving: boolean;
  submitted: SubmittedImages | null;
  plate: Plate | undefined;
  /** Fields of the plate in a refused form. */
  typedPlate: PlateTexts | null;
  /** Opens the editor of the plate; null where no words are engraved. */
  onPlate: (() => void) | null;
  isPlateOpen: boolean;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
}

export function ImageTile(props: ImageTileProps) {
  const { tile, position, count, drag, isSaving, submitted } = props;
  const { entry, state, blob } = tile;
  const isWaiting = isSaving && state === "ready";
  return (
    <li className="image-tile" data-tile={tile.key} data-waits={isWaiting || undefined} {...drag}>
      <span className="image-tile-picture">
        <TilePicture tile={tile} />
        {position === 0 && <span className="image-tile-main">Main</span>}
        {isWaiting ? (
          <StateLabel>Waiting</StateLabel>
        ) : blob || state !== "stored" ? (
          <TileState tile={tile} />
        ) : null}
      </span>
      <TileName tile={tile} position={position} />
      {entry !== null && (
        <KeepAndOrder entry={entry} position={position} count={count} submitted={submitted} />
      )}
      {entry !== null && (
        <PlainPlateFields position={position} texts={props.typedPlate ?? plateTexts(props.plate)} />
      )}
      <TileActions {...props} />
      {props.onPlate && <PlateButton {...props} onPlate={props.onPlate} />}
    </li>
  );
}

/** Picture of a tile. @param width px in which it is shown */
export function TilePicture({ tile: { entry, preview }, width = 112 }: { tile: Tile; width?: number }) {
  if (preview) return <img src={preview} alt="" draggable={false} />;
  if (entry?.startsWith("https:")) return <ExternalPicture key={entry} url={entry} />;
  if (entry !== null)
    return <Picture image={entry} alt="" sizes={`${width}px`} width={width > 160 ? 640 : 160} />;
  return <span className="no-picture" aria-hidden="true" />;
}

/** Picture at an external URL, which may fail to load. */
function ExternalPicture({ url }: { url: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return (
      <>
        <Icon name="image-off" className="i no-picture" />
        <StateLabel isBad>Won’t load</StateLabel>
      </>
    );
  const fail = () => setBroken(true);
  return (
    <img
      src={url}
      alt=""
      referrerPolicy="no-referrer"
      draggable={false}
      onError={fail}
      // The error event may have fired before hydration.
      ref={(img) => void (img?.complete && !img.naturalWidth && fail())}
    />
  );
}

function TileName({ tile: { entry, name }, position }: { tile: Tile; position: number }) {
  const isStored = entry !== null && !entry.startsWith("https:") && name === entry;
  const label = isStored ? `Image ${position + 1}` : name.replace(/^https:\/\//i, "");
  return (
    <span className="image-tile-name" title={isStored ? undefined : name}>
      {label}
    </span>
  );
}

function TileState({ tile: { state, progress, name } }: { tile: Tile }) {
  if (state === "processing")
    return (
      <StateLabel>
        <span className="spinner" aria-hidden="true" />
        Preparing
      </StateLabel>
    );
  if (state === "uploading")
    return (
      <StateLabel>
        <progress max={1} value={progress} aria-label={`Uploading ${name}`} />
        {progress < 1 ? `${Math.floor(progress * 100)} %` : "Finishing"}
      </StateLabel>
    );
  if (state === "failed") return <StateLabel isBad>Not uploaded</StateLabel>;
  if (state !== "stored") return null;
  return (
    <StateLabel>
      <Icon name="check" className="i s" />
      Uploaded
    </StateLabel>
  );
}

function StateLabel({ isBad = false, children }: { isBad?: boolean; children: ReactNode }) {
  return (
    <span className={isBad ? "image-tile-state danger" : "image-tile-state"}>
      {isBad && <Icon name="circle-alert" className="i s" />}
      {children}
    </span>
  );
}

interface KeepAndOrderProps {
  entry: string;
  position: number;
  count: number;
  submitted: SubmittedImages | null;
}

/** Checkbox and number that keep and order an image without JavaScript. */
function KeepAndOrder({ entry, position, count, submitted }: KeepAndOrderProps) {
  const isTicked = submitted?.ticked.includes(entry) ?? true;
  return (
    <span className="without-script">
      <input type="hidden" name="tile" value={entry} />
      <label className="check">
        <input type="checkbox" name="imageUrls" value={entry} defaultChecked={isTicked} /> Keep
      </label>
      <label className="check">
        Position
        <input
          className="input"
          type="number"
          name="place"
          min="1"
          max={count}
          defaultValue={submitted?.positions[position] ?? position + 1}
          aria-label={`Position of image ${position + 1}`}
        />
      </label>
    </span>
  );
}

function PlateButton({ position, plate, isPlateOpen, onPlate }: ImageTileProps & { onPlate: () => void }) {
  return (
    <button
      type="button"
      className="btn plate-button needs-script"
      aria-expanded={isPlateOpen}
      aria-label={`Engraving plate of image ${position + 1}${plate ? ", marked" : ""}`}
      onClick={onPlate}
    >
      {plate && <Icon name="check" className="i s" />}
      Plate
    </button>
  );
}

function TileActions({ position, count, onMove, onRemove }: ImageTileProps) {
  const name = `image ${position + 1}`;
  return (
    <span className="image-tile-actions needs-script">
      <button
        type="button"
        className="tool-button"
        data-move="-1"
        disabled={position === 0}
        aria-label={`Move ${name} earlier`}
        onClick={() => onMove(-1)}
      >
        <Icon name="arrow-left" className="i s" />
      </button>
      <button
        type="button"
        className="tool-button danger"
        data-remove
        aria-label={`Remove ${name}`}
        onClick={onRemove}
      >
        <Icon name="x" className="i s" />
      </button>
      <button
        type="button"
        className="tool-button"
        data-move="1"
        disabled={position === count - 1}
        aria-label={`Move ${name} later`}
        onClick={() => onMove(1)}
      >
        <Icon name="arrow-right" className="i s" />
      </button>
    </span>
  );
}
