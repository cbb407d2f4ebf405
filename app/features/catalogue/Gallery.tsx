import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { Picture } from "~/ui/Picture";

interface GalleryProps {
  /** `url` as stored. */
  images: { url: string; alt: string }[];
  name: string;
}

const SIZES = "(min-width: 64rem) 46vw, (min-width: 46rem) 50vw, 100vw";
const pictureId = (place: number) => `picture-${place + 1}`;

/**
 * A product's pictures in a reel that snaps, and their thumbnails where there is more than one (spec 2).
 * Thumbnails are links to the pictures, which a script turns into a scroll of the reel alone.
 */
export function Gallery({ images, name }: GalleryProps) {
  const { reel, shown, show, look } = useReel();
  const pictures = images.length ? images : [{ url: null, alt: name }];
  const byKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step || pictures.length < 2) return;
    event.preventDefault();
    show(Math.min(pictures.length - 1, Math.max(0, shown + step)));
  };
  return (
    <div className="gallery">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of pictures, not of fields */}
      <div
        className="gallery-reel"
        ref={reel}
        role="group"
        aria-label="Pictures"
        tabIndex={pictures.length > 1 ? 0 : undefined}
        onScroll={look}
        onKeyDown={byKey}
      >
        {pictures.map(({ url, alt }, place) => (
          <div className="picture" id={pictureId(place)} key={url}>
            <Picture image={url} alt={alt} sizes={SIZES} width={800} priority={place === 0} />
          </div>
        ))}
      </div>
      {pictures.length > 1 && <Thumbs images={images} shown={shown} show={show} />}
    </div>
  );
}

/** The reel, which of its pictures is in sight, and how to bring another one there. */
function useReel() {
  const reel = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(0);
  const look = () => {
    const { scrollLeft = 0, clientWidth = 1 } = reel.current ?? {};
    setShown(Math.round(scrollLeft / clientWidth));
  };
  const show = (place: number) => {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    reel.current?.scrollTo({
      left: reel.current.clientWidth * place,
      behavior: calm ? "auto" : "smooth",
    });
  };
  return { reel, shown, show, look };
}

/** Four are seen at a time, the others by scrolling. */
function Thumbs({ images, shown, show }: Pick<GalleryProps, "images"> & Omit<ReelMoves, "look">) {
  return (
    <div className="thumbnails">
      {images.map(({ url }, place) => (
        <a
          key={url}
          href={`#${pictureId(place)}`}
          aria-label={`Picture ${place + 1} of ${images.length}`}
          aria-current={place === shown ? "true" : undefined}
          onClick={(event: MouseEvent) => {
            event.preventDefault();
            show(place);
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

interface ReelMoves {
  shown: number;
  show: (place: number) => void;
  look: () => void;
}
