import { type KeyboardEvent, type ReactNode, type UIEvent, useEffect, useRef, useState } from "react";
import { useBackCloses } from "~/ui/back-closes";
import { Icon } from "~/ui/Icon";
import { Picture } from "~/ui/Picture";
import { type GalleryProps, pictureId } from "./Gallery";

/** Keys that enlarge the picture, without and with Shift, and the one that shows it whole. */
const SIZE_KEYS = ["=", "+", "-"];

interface LargePictureProps extends GalleryProps {
  /** Index of the picture that is shown first. */
  first: number;
  /** Called when it is closed, with the index of the last picture. */
  onClose: (index: number) => void;
}

/**
 * Pictures over the whole screen, whole or enlarged. Arrow keys change the picture, plus and minus its size; Escape and
 * Back close it. Fingers swipe and zoom as on any page.
 */
export default function LargePicture({ images, name, first, onClose }: LargePictureProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { reel, index, show, onScroll } = useReel(first);
  const [isEnlarged, setEnlarged] = useState(false);
  const close = () => dialog.current?.close();
  useBackCloses(true, close);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && !isEnlarged) show(index + step);
    else if (SIZE_KEYS.includes(event.key)) setEnlarged(event.key !== "-");
    else return;
    event.preventDefault();
  };
  const toggle = () => setEnlarged(!isEnlarged);
  return (
    <dialog
      ref={dialog}
      className="large-picture"
      aria-label={`Pictures of ${name}`}
      onKeyDown={onKeyDown}
      onClose={() => onClose(index)}
    >
      <Head {...{ isEnlarged, toggle, close, name, index }} count={images.length} />
      <Steps index={index} count={images.length} show={show} />
      <div
        ref={reel}
        className={isEnlarged ? "large-reel enlarged" : "large-reel"}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls
        tabIndex={0}
        onScroll={onScroll}
      >
        {images.map((image, i) => (
          <Frame key={image.url} {...image} index={i} isEnlarged={isEnlarged} toggle={toggle} />
        ))}
      </div>
    </dialog>
  );
}

/** Row of pictures that begins with the one at `first`; its dialog has been opened by an effect before. */
function useReel(first: number) {
  const reel = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState(first);
  const show = (next: number, behavior: ScrollBehavior = "auto") => {
    const { current } = reel;
    current?.scrollTo({ left: current.clientWidth * next, behavior });
  };
  // At once: a key may follow before the next frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => show(first, "instant"), []);
  const onScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent) =>
    setIndex(Math.round(scrollLeft / Math.max(1, clientWidth)));
  return { reel, index, show, onScroll };
}

function Place({ index, count }: Pick<HeadProps, "index" | "count">) {
  if (count < 2) return null;
  return (
    <span className="num" role="status">
      <span className="visually-hidden">Picture </span>
      {`${index + 1} / ${count}`}
    </span>
  );
}

interface StepsProps extends Pick<HeadProps, "index" | "count"> {
  show: (index: number) => void;
}

/** Buttons to the previous and the next picture, for a mouse. */
const Steps = ({ index, count, show }: StepsProps) =>
  count > 1 && (
    <>
      <button
        type="button"
        className="icon-btn large-step"
        aria-label="Previous picture"
        disabled={index === 0}
        onClick={() => show(index - 1)}
      >
        <Icon name="chevron-left" />
      </button>
      <button
        type="button"
        className="icon-btn large-step large-next"
        aria-label="Next picture"
        disabled={index === count - 1}
        onClick={() => show(index + 1)}
      >
        <Icon name="chevron-right" />
      </button>
    </>
  );

interface HeadProps {
  isEnlarged: boolean;
  toggle: () => void;
  close: () => void;
  name: string;
  index: number;
  count: number;
}

function Head({ isEnlarged, toggle, close, name, index, count }: HeadProps) {
  return (
    <header>
      <p>
        <b>{name}</b>
        <Place index={index} count={count} />
      </p>
      <button type="button" className="btn btn-line" aria-pressed={isEnlarged} onClick={toggle}>
        Enlarge
      </button>
      <button type="button" className="icon-btn" aria-label="Close" onClick={close}>
        <Icon name="x" />
      </button>
    </header>
  );
}

interface FrameProps {
  url: string;
  alt: string;
  index: number;
  isEnlarged: boolean;
  toggle: () => void;
}

/** One picture with the words that are drawn on it in the gallery. A press enlarges it, as the button above does. */
function Frame({ url, alt, index, isEnlarged, toggle }: FrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const drawn = document.querySelector(`#${pictureId(index)} .engraved-words`);
  useEffect(() => {
    if (isEnlarged) centre(frame.current);
  }, [isEnlarged]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button above does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys + and - do the same
    <div ref={frame} className="large-frame" onClick={toggle}>
      <div className="picture">
        <Picture image={url} alt={alt} sizes="100vw" width={1000} />
        {drawn && <span ref={(place) => drawOn(place, drawn)} />}
      </div>
    </div>
  );
}

/** Scrolls an enlarged picture to its words, else to its middle. */
function centre(frame: HTMLElement | null): void {
  const box = frame?.getBoundingClientRect();
  const at = (frame?.querySelector("g") ?? frame?.querySelector(".picture"))?.getBoundingClientRect();
  if (!box || !at) return;
  frame?.scrollBy({
    left: at.x + at.width / 2 - box.x - box.width / 2,
    top: at.y + at.height / 2 - box.y - box.height / 2,
  });
}

/** Draws words on a picture, once it has loaded. */
function drawOn(place: HTMLElement | null, words: Element): void {
  const picture = place?.previousElementSibling;
  const draw = () => place?.replaceChildren(words.cloneNode(true));
  if (picture instanceof HTMLImageElement && !picture.complete)
    picture.addEventListener("load", draw, { once: true });
  else draw();
}
