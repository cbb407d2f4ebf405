import { type ReactNode, useState } from "react";
import { Icon } from "~/ui/Icon";
import { Picture } from "~/ui/Picture";
import type { DragEvents } from "./useDragging";
import type { Tile } from "./useImages";

/** What boxes and numbers held in a form that was sent without a script and refused. */
export interface SubmittedImages {
  ticked: string[];
  places: string[];
}

interface ImageTileProps {
  tile: Tile;
  /** From 0. */
  place: number;
  /** How many there are. */
  count: number;
  drag: DragEvents;
  isSaving: boolean;
  sent: SubmittedImages | null;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

/** An image of a product's form: what it shows, what it is called, what becomes of it and what can be done with it. */
export function ImageTile(props: ImageTileProps) {
  const { tile, place, count, drag, isSaving, sent } = props;
  const { entry, state, blob } = tile;
  const isWaiting = isSaving && state === "ready";
  return (
    <li className="image-tile" data-tile={tile.key} data-waits={isWaiting || undefined} {...drag}>
      <span className="image-tile-picture">
        <TilePicture tile={tile} />
        {place === 0 && <span className="image-tile-main">Main</span>}
        {isWaiting ? <Said>Waiting</Said> : blob || state !== "kept" ? <TileState tile={tile} /> : null}
      </span>
      <TileName tile={tile} place={place} />
      {entry !== null && <Boxes entry={entry} place={place} count={count} sent={sent} />}
      <TileActs {...props} />
    </li>
  );
}

/** Its name stands beneath. */
function TilePicture({ tile: { entry, preview } }: { tile: Tile }) {
  if (preview) return <img src={preview} alt="" draggable={false} />;
  if (entry?.startsWith("https:")) return <AddressPicture key={entry} address={entry} />;
  if (entry !== null) return <Picture image={entry} alt="" sizes="112px" width={160} />;
  return <span className="no-picture" aria-hidden="true" />;
}

/** A picture that stays where it is; it may not be there. */
function AddressPicture({ address }: { address: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken)
    return (
      <>
        <Icon name="image-off" className="i no-picture" />
        <Said isBad>Won’t load</Said>
      </>
    );
  const fail = () => setBroken(true);
  return (
    <img
      src={address}
      alt=""
      referrerPolicy="no-referrer"
      draggable={false}
      onError={fail}
      // It may have failed before React was there to hear of it.
      ref={(img) => void (img?.complete && !img.naturalWidth && fail())}
    />
  );
}

function TileName({ tile: { entry, name }, place }: { tile: Tile; place: number }) {
  const isStored = entry !== null && !entry.startsWith("https:") && name === entry;
  const words = isStored ? `Image ${place + 1}` : name.replace(/^https:\/\//i, "");
  return (
    <span className="image-tile-name" title={isStored ? undefined : name}>
      {words}
    </span>
  );
}

/** What becomes of a file, in a word or a number. */
function TileState({ tile: { state, part, name } }: { tile: Tile }) {
  if (state === "making")
    return (
      <Said>
        <span className="spinner" aria-hidden="true" />
        Preparing
      </Said>
    );
  if (state === "sending")
    return (
      <Said>
        <progress max={1} value={part} aria-label={`Uploading ${name}`} />
        {part < 1 ? `${Math.floor(part * 100)} %` : "Finishing"}
      </Said>
    );
  if (state === "failed") return <Said isBad>Not uploaded</Said>;
  if (state !== "kept") return null;
  return (
    <Said>
      <Icon name="check" className="i s" />
      Uploaded
    </Said>
  );
}

function Said({ isBad = false, children }: { isBad?: boolean; children: ReactNode }) {
  return (
    <span className={isBad ? "image-tile-state danger" : "image-tile-state"}>
      {isBad && <Icon name="circle-alert" className="i s" />}
      {children}
    </span>
  );
}

interface BoxesProps {
  entry: string;
  place: number;
  count: number;
  sent: SubmittedImages | null;
}

/** Without a script it is kept by a box and ordered by a number. */
function Boxes({ entry, place, count, sent }: BoxesProps) {
  const isTicked = sent?.ticked.includes(entry) ?? true;
  return (
    <span className="without-script">
      <input type="hidden" name="tile" value={entry} />
      <label className="check">
        <input type="checkbox" name="imageUrls" value={entry} defaultChecked={isTicked} /> Keep
      </label>
      <label className="check">
        Place
        <input
          className="input"
          type="number"
          name="place"
          min="1"
          max={count}
          defaultValue={sent?.places[place] ?? place + 1}
          aria-label={`Place of image ${place + 1}`}
        />
      </label>
    </span>
  );
}

function TileActs({ place, count, onMove, onRemove }: ImageTileProps) {
  const name = `image ${place + 1}`;
  return (
    <span className="image-tile-actions needs-script">
      <button
        type="button"
        className="tool-button"
        data-move="-1"
        disabled={place === 0}
        aria-label={`Move ${name} earlier`}
        onClick={() => onMove(-1)}
      >
        <Icon name="arrow-left" className="i s" />
      </button>
      <button type="button" className="tool-button danger" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="x" className="i s" />
      </button>
      <button
        type="button"
        className="tool-button"
        data-move="1"
        disabled={place === count - 1}
        aria-label={`Move ${name} later`}
        onClick={() => onMove(1)}
      >
        <Icon name="arrow-right" className="i s" />
      </button>
    </span>
  );
}
