import { type CSSProperties, type ReactNode, useEffect } from "react";
import { createPortal } from "react-dom";
import { Picture } from "~/ui/Picture";
import EngravedWords, { PlainPlate } from "./EngravedWords";
import { cutWords, engravingNote } from "./engraved-lines";
import { pictureId, showPicture, thumbnailId } from "./Gallery";
import type { OfferedOptions } from "./options";
import { type PicturePlate, plateFor } from "./plates";

interface EngravingPreviewProps {
  choices: OfferedOptions;
  /** Chosen colour; the only one of a product is always chosen. */
  color: OfferedOptions["colors"][number] | null;
  words: string;
}

/** Words to engrave, as they will stand on the product: on its picture, or on a plain plate where no picture has one. */
export default function EngravingPreview({ choices, color, words }: EngravingPreviewProps): ReactNode {
  const plate = plateFor(choices.plates ?? [], color?.name ?? null);
  const picture = plate?.picture;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice has moved the gallery to an example of the colour
  useEffect(() => {
    if (picture !== undefined) showPicture(picture);
  }, [picture, color]);
  const measured = plate ?? choices.plates?.[0];
  return (
    <>
      <div className="engraving-preview" aria-hidden="true">
        {plate ? (
          <>
            <Closeup plate={plate} words={words} />
            <InGallery plate={plate} words={words} />
          </>
        ) : (
          <PlainPlate
            swatch={color?.swatch ?? null}
            tone={color?.tone ?? null}
            words={measured ? cutWords(words, measured) : words}
          />
        )}
      </div>
      <p className="engraving-note" role="status">
        {measured && engravingNote(words, measured)}
      </p>
    </>
  );
}

/** Proportion of the close-up's frame, and the share of its width that the plate takes. */
const ASPECT = 1.7;
const SHARE = 0.62;

/** Part of the picture around the plate. */
function Closeup({ plate, words }: { plate: PicturePlate; words: string }) {
  const scale = Math.max(1, Math.min(SHARE / plate.width, 3.2));
  const within = (offset: number, size: number, frame: number) => Math.min(0, Math.max(frame - size, offset));
  const left = within(0.5 - (plate.x + plate.width / 2) * scale, scale, 1);
  const top = within(0.5 / ASPECT - (plate.y + plate.height / 2) * scale * 1.25, scale * 1.25, 1 / ASPECT);
  const style: CSSProperties = {
    width: `${scale * 100}%`,
    left: `${left * 100}%`,
    top: `${top * ASPECT * 100}%`,
  };
  return (
    <span className="engraving-closeup">
      <span className="picture" style={style}>
        <Picture image={plate.image} alt="" sizes="48rem" width={800} />
        <EngravedWords plate={plate} words={words} />
      </span>
    </span>
  );
}

/** The same words on the picture in the gallery and on its thumbnail. */
function InGallery({ plate, words }: { plate: PicturePlate; words: string }) {
  const drawn = <EngravedWords plate={plate} words={words} />;
  return [pictureId, thumbnailId].map((idOf) => {
    const place = document.getElementById(idOf(plate.picture));
    return place && createPortal(drawn, place, idOf(plate.picture));
  });
}
