import {
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  type UIEvent,
  useEffect,
  useState,
} from "react";
import { loadStyles } from "~/ui/load-styles";
import { Picture, pictureUrl } from "~/ui/Picture";
import onDemandCss from "./on-demand.css?url";

/** Loaded when a picture is first enlarged. */
const LargePicture = lazy(async () => {
  const [large] = await Promise.all([import("./LargePicture"), loadStyles(onDemandCss)]);
  return large;
});

export interface GalleryProps {
  /** `url` is a stored entry. */
  images: { url: string; alt: string }[];
  name: string;
}

const SIZES = "(min-width: 64rem) 46vw, (min-width: 46rem) 50vw, 100vw";
/** Ids of a picture and of its thumbnail. */
export const pictureId = (index: number) => `picture-${index + 1}`;
export const thumbnailId = (index: number) => `thumbnail-${index + 1}`;

/**
 * Product pictures in a scroll-snapping reel, with thumbnails for more than one. Thumbnails are links to the pictures;
 * with JavaScript they scroll only the reel.
 */
export function Gallery({ images, name }: GalleryProps) {
  const { visibleIndex, setVisibleIndex, isHydrated } = useVisiblePicture();
  const [large, setLarge] = useState<number | null>(null);
  const pictures = images.length ? images : [{ url: null, alt: name }];
  const close = (index: number) => {
    setLarge(null);
    showPicture(index);
  };
  return (
    <div className="gallery">
      <Reel visibleIndex={visibleIndex} count={pictures.length} onVisible={setVisibleIndex}>
        {pictures.map(({ url, alt }, index) => (
          <div className="picture" id={pictureId(index)} key={url}>
            <PictureLink
              url={url}
              isSkipped={isHydrated && visibleIndex !== index}
              onOpen={() => setLarge(index)}
            >
              <Picture image={url} alt={alt} sizes={SIZES} width={800} priority={index === 0} />
            </PictureLink>
          </div>
        ))}
      </Reel>
      {pictures.length > 1 && (
        <p className="gallery-count num needs-script" role="status">
          <span className="visually-hidden">Picture </span>
          {`${visibleIndex + 1} / ${pictures.length}`}
        </p>
      )}
      {pictures.length > 1 && <Thumbnails images={images} visibleIndex={visibleIndex} />}
      {large !== null && (
        <Suspense>
          <LargePicture images={images} name={name} first={large} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

/** Index of the picture in view; without a script, no key brings another one there. */
function useVisiblePicture() {
  const [index, setVisibleIndex] = useState<number | null>(null);
  useEffect(() => setVisibleIndex((seen) => seen ?? 0), []);
  return { visibleIndex: index ?? 0, setVisibleIndex, isHydrated: index !== null };
}

interface ReelProps {
  visibleIndex: number;
  count: number;
  onVisible: (index: number) => void;
  children: ReactNode;
}

/** Row of pictures, one at a time; arrow keys change it. */
function Reel({ visibleIndex, count, onVisible, children }: ReelProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step || count < 2) return;
    event.preventDefault();
    const next = Math.min(count - 1, Math.max(0, visibleIndex + step));
    showPicture(next);
    document.getElementById(pictureId(next))?.querySelector("a")?.focus({ preventScroll: true });
  };
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent) =>
    onVisible(Math.round(scrollLeft / Math.max(1, clientWidth)));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of pictures, not of fields
    <div
      className="gallery-reel"
      role="group"
      aria-label="Pictures"
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}

/** Link to the large picture, which a script shows over the page. */
function PictureLink(props: {
  url: string | null;
  /** Leaves it out of the keys' order. */
  isSkipped: boolean;
  onOpen: () => void;
  children: ReactNode;
}) {
  const { url, isSkipped, onOpen, children } = props;
  // As entries of products are.
  if (!url || !/^(?:minio|https):/.test(url)) return children;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <a
      className="picture-link"
      href={pictureUrl(url, 1000)}
      title="Enlarge"
      rel="noreferrer"
      data-stays
      tabIndex={isSkipped ? -1 : undefined}
      onClick={open}
    >
      {children}
    </a>
  );
}

/** Scrolls the gallery to a picture; again where its width has changed on the way, which stops between two pictures. */
export function showPicture(index: number): void {
  const reel = document.getElementById(pictureId(index))?.parentElement;
  if (!reel) return;
  const scroll = () => reel.scrollTo(reel.clientWidth * index, 0);
  reel.onscrollend = () => {
    const place = reel.scrollLeft / reel.clientWidth;
    if (Math.abs(place - Math.round(place)) > 0.05) scroll();
  };
  scroll();
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
          <span className="picture" id={thumbnailId(index)}>
            <Picture image={url} alt="" sizes="5rem" width={96} />
          </span>
        </a>
      ))}
    </div>
  );
}
