import { forwardRef, type MouseEvent, type ReactNode, type Ref } from "react";

interface DialogProps {
  id?: string;
  className: string;
  /** Id of the heading that names it. */
  labelledBy: string;
  children: ReactNode;
  onClose?: () => void;
}

/**
 * A `<dialog>` to be opened with showModal(): Escape, a press beside it and a link inside close it; focus returns
 * to where it was.
 */
export const Dialog = forwardRef(function Dialog(
  { id, className, labelledBy, children, onClose }: DialogProps,
  ref: Ref<HTMLDialogElement>,
) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, which the browser sees to
    <dialog
      id={id}
      ref={ref}
      className={className}
      aria-labelledby={labelledBy}
      onClick={closeFromOutside}
      onClose={onClose}
    >
      {children}
    </dialog>
  );
});

function closeFromOutside(event: MouseEvent<HTMLDialogElement>) {
  const target = event.target as HTMLElement;
  if (target === event.currentTarget || target.closest("a[href]")) event.currentTarget.close();
}
