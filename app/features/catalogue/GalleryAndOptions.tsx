import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type UIEvent,
  useId,
  useState,
} from "react";
import { Picture } from "~/ui/Picture";
import { MAX_ENGRAVING } from "./engraving";
import type { Choices } from "./options";

interface SwatchesProps {
  colors: Choices["colors"];
  chosen?: string | null;
  onChoose?: (color: Choices["colors"][number]) => void;
}

/** Radio buttons of the colours: a word each, with a swatch where the colour is known. */
export function Swatches({ colors, chosen, onChoose }: SwatchesProps) {
  return (
    <fieldset className="swatches">
      <legend>Colour</legend>
      <div>
        {colors.map((color) => (
          <label className="swatch" key={color.name}>
            <input
              type="radio"
              name="color"
              value={color.name}
              defaultChecked={color.name === chosen}
              onChange={onChoose && (() => onChoose(color))}
            />
            {color.swatch && <span className="swatch-dot" style={{ background: color.swatch }} />}
            {color.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface EngravingFieldProps {
  defaultValue?: string;
  onText?: (text: string) => void;
  children?: ReactNode;
}

/** Field of the words to engrave. @param children follow its label */
export function EngravingField({ defaultValue, onText, children }: EngravingFieldProps) {
  const id = useId();
  return (
    <div className="engraving-field">
      <div className="engraving-label">
        <label htmlFor={id}>Engraving</label>
        <span className="soft" id={`${id}note`}>
          if you like, in the price
        </span>
        {children}
      </div>
      <input
        className="input"
        id={id}
        name="engraving"
        aria-describedby={`${id}note`}
        maxLength={MAX_ENGRAVING}
        defaultValue={defaultValue}
        placeholder="A name, a date, a line"
        autoComplete="off"
        dir="auto"
        onInput={onText && (({ currentTarget }) => onText(currentTarget.value))}
      />
    </div>
  );
}

/** Colours and words to engrave, with a drawing of the words; a single colour is a fact and no choice. */
export function OptionChoice({ choices: { colors, hasEngraving } }: { choices: Choices }) {
  const [only] = colors;
  const [plate, setPlate] = useState(colors.length === 1 ? only?.swatch : null);
  const choose = ({ swatch, picture }: Choices["colors"][number]) => {
    setPlate(swatch);
    if (picture !== null) showPicture(picture);
  };
  return (
    <>
      {colors.length > 1 && <Swatches colors={colors} onChoose={choose} />}
      {colors.length === 1 && only && (
        <p className="only-color">
          Colour{" "}
          <span className="chosen">
            {only.swatch && <i className="swatch-dot" style={{ background: only.swatch }} />}
            {only.name}
          </span>
        </p>
      )}
      {hasEngraving && <Engraving plate={plate ?? null} />}
    </>
  );
}

/** Lengths up to which words are drawn large and medium. */
const LARGE = 16;
const MEDIUM = 34;

/** Words to engrave, drawn as they are typed on a plate of the chosen colour. */
function Engraving({ plate }: { plate: string | null }) {
  const [text, setText] = useState("");
  const words = text.trim();
  const size = words.length > MEDIUM ? "small" : words.length > LARGE ? "medium" : "large";
  const isTwoTone = plate?.startsWith("linear") ?? false;
  return (
    <div className="engraving">
      <EngravingField onText={setText}>
        <span className="num needs-script">{`${text.length} / ${MAX_ENGRAVING}`}</span>
      </EngravingField>
      <div className="engraving-preview needs-script" aria-hidden="true">
        <span
          className={`${words ? size : "large unset"}${isTwoTone ? " two-tone" : ""}`}
          dir="auto"
          style={plate ? ({ "--plate": plate } as CSSProperties) : {}}
        >
          <span>{words || "Your words"}</span>
        </span>
      </div>
    </div>
  );
}

interface GalleryProps {
  /** `url` is a stored entry. */
  images: { url: string; alt: string }[];
  name: string;
}

const SIZES = "(min-width: 64rem) 46vw, (min-width: 46rem) 50vw, 100vw";
const pictureId = (index: number) => `picture-${index + 1}`;

/**
 * Product pictures in a scroll-snapping reel, with thumbnails for more than one. Thumbnails are links to the pictures;
 * with JavaScript they scroll only the reel.
 */
export function Gallery({ images, name }: GalleryProps) {
  const [visibleIndex, setVisibleIndex] = useState(0);
  const pictures = images.length ? images : [{ url: null, alt: name }];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step || pictures.length < 2) return;
    event.preventDefault();
    showPicture(Math.min(pictures.length - 1, Math.max(0, visibleIndex + step)));
  };
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent) =>
    setVisibleIndex(Math.round(scrollLeft / Math.max(1, clientWidth)));
  return (
    <div className="gallery">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of pictures, not of fields */}
      <div
        className="gallery-reel"
        role="group"
        aria-label="Pictures"
        tabIndex={pictures.length > 1 ? 0 : undefined}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        {pictures.map(({ url, alt }, index) => (
          <div className="picture" id={pictureId(index)} key={url}>
            <Picture image={url} alt={alt} sizes={SIZES} width={800} priority={index === 0} />
          </div>
        ))}
      </div>
      {pictures.length > 1 && (
        <p className="gallery-count num needs-script" role="status">
          <span className="visually-hidden">Picture </span>
          {`${visibleIndex + 1} / ${pictures.length}`}
        </p>
      )}
      {pictures.length > 1 && <Thumbnails images={images} visibleIndex={visibleIndex} />}
    </div>
  );
}

/** Scrolls the gallery to a picture; its other colours and details are one swipe away. */
function showPicture(index: number): void {
  const reel = document.getElementById(pictureId(index))?.parentElement;
  const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  reel?.scrollTo({ left: reel.clientWidth * index, behavior: reducesMotion ? "auto" : "smooth" });
}

interface ThumbnailsProps extends Pick<GalleryProps, "images"> {
  visibleIndex: number;
}

function Thumbnails({ images, visibleIndex }: ThumbnailsProps) {
  return (
    <div className="thumbnails">
      {images.map(({ url }, index) => (
        <a
          key={url}
          href={`#${pictureId(index)}`}
          aria-label={`Picture ${index + 1} of ${images.length}`}
          aria-current={index === visibleIndex ? "true" : undefined}
          onClick={(event: MouseEvent) => {
            event.preventDefault();
            showPicture(index);
          }}
        >
          <span className="picture">
            <Picture image={url} alt="" sizes="5rem" width={96} />
          </span>
        </a>
      ))}
    </div>
  );
}
