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
import { isPlainClick } from "~/ui/plain-click";
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
  // -1 until a script runs: without one, no key brings another picture into view.
  const [seen, setSeen] = useState(-1);
  useEffect(() => setSeen(0), []);
  const visibleIndex = Math.max(0, seen);
  const [large, setLarge] = useState<number | null>(null);
  const pictures = images.length ? images : [{ url: null, alt: name }];
  const close = (index: number) => {
    setLarge(null);
    showPicture(index);
  };
  return (
    <div className="gallery">
      <Reel visibleIndex={visibleIndex} onVisible={setSeen}>
        {pictures.map(({ url, alt }, index) => (
          <div className="picture" id={pictureId(index)} key={url}>
            <PictureLink url={url} isSeen={seen < 0 || seen === index} onOpen={() => setLarge(index)}>
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

interface ReelProps {
  visibleIndex: number;
  onVisible: (index: number) => void;
  children: ReactNode;
}

/** Pictures that a key goes on by. */
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** Row of pictures, one at a time; arrow keys change it. */
function Reel({ visibleIndex, onVisible, children }: ReelProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const next = visibleIndex + (STEPS[event.key] ?? 0);
    const picture = event.currentTarget.children[next];
    if (next === visibleIndex || !picture) return;
    event.preventDefault();
    showPicture(next);
    picture.querySelector("a")?.focus({ preventScroll: true });
  };
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent) =>
    onVisible(Math.round(scrollLeft / (clientWidth || 1)));
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
  /** Others are left out of the keys' order. */
  isSeen: boolean;
  onOpen: () => void;
  children: ReactNode;
}) {
  const { url, isSeen, onOpen, children } = props;
  // As entries of products are.
  if (!url || !/^(?:minio|https):/.test(url)) return children;
  const open = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
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
      tabIndex={isSeen ? 0 : -1}
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
