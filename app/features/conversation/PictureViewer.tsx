import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useBackCloses } from "~/ui/back-closes";
import { Icon } from "~/ui/Icon";

interface PictureViewerProps {
  /** Link of the picture that was pressed; the focus returns to it. */
  opener: HTMLAnchorElement;
  onClose(): void;
}

/** Detects a part over the page that takes the browser's Back itself, as the panel on a phone does. */
const isOverPage = () => document.querySelector("[inert]") !== null;

/**
 * Pictures of a conversation over the whole screen, beginning with the one that was pressed. Arrow keys lead to the others;
 * Escape, Back and a press beside the picture close it.
 */
export function PictureViewer({ opener, onClose }: PictureViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [links] = useState(() => linksBeside(opener));
  const [index, setIndex] = useState(() => Math.max(0, links.indexOf(opener)));
  const [takesBack] = useState(() => !isOverPage());
  const { href, name } = pictureOf(links[index] ?? opener);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  useBackCloses(takesBack, close);
  const step = (by: number) => setIndex(Math.min(links.length - 1, Math.max(0, index + by)));
  const onKeyDown = (event: KeyboardEvent) => {
    // The panel behind closes by Escape as well.
    event.stopPropagation();
    step({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0);
  };
  const closed = () => {
    onClose();
    focusPicture(opener);
  };
  return (
    <dialog
      className="picture-viewer"
      ref={dialog}
      aria-label={name}
      onKeyDown={onKeyDown}
      // The buttons do more than close it.
      onClick={({ target }) => target instanceof Element && !target.closest("button, img") && close()}
      onClose={closed}
    >
      <img key={href} src={href} alt={name} />
      <p className="truncate" role="status">
        {links.length > 1 && `${index + 1} / ${links.length} `}
        {name}
      </p>
      <ViewerButton label="Close" icon="x" onPress={close} />
      <Steps index={index} last={links.length - 1} step={step} />
    </dialog>
  );
}

/** Focuses the link of a picture, which is another element where its message was drawn anew. */
function focusPicture(opener: HTMLAnchorElement): void {
  const links = linksBeside(opener.isConnected ? opener : document.body);
  links.find(({ href }) => href === opener.href)?.focus();
}

interface StepsProps {
  index: number;
  last: number;
  step(by: number): void;
}

const Steps = ({ index, last, step }: StepsProps) => (
  <>
    {index > 0 && <ViewerButton label="Previous picture" icon="chevron-left" onPress={() => step(-1)} />}
    {index < last && <ViewerButton label="Next picture" icon="chevron-right" onPress={() => step(1)} />}
  </>
);

interface ViewerButtonProps {
  label: string;
  icon: "x" | "chevron-left" | "chevron-right";
  onPress(): void;
}

const ViewerButton = ({ label, icon, onPress }: ViewerButtonProps) => (
  <button type="button" className={`viewer-${icon}`} aria-label={label} onClick={onPress}>
    <Icon name={icon} />
  </button>
);

/** Lists the links of the conversation's pictures, in their order. */
function linksBeside(opener: Element): HTMLAnchorElement[] {
  const log = opener.closest("[role=log]") ?? document;
  return [...log.querySelectorAll<HTMLAnchorElement>("a.file-picture")];
}

const pictureOf = (link: HTMLAnchorElement) => ({
  href: link.href,
  name: link.querySelector("img")?.alt ?? "",
});
