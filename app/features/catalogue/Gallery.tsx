import { type KeyboardEvent, type MouseEvent, type UIEvent, useState } from "react";
import { Picture } from "~/ui/Picture";

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

/** Scrolls the gallery to a picture. */
export function showPicture(index: number): void {
  const reel = document.getElementById(pictureId(index))?.parentElement;
  reel?.scrollTo(reel.clientWidth * index, 0);
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
