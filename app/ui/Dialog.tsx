import { forwardRef, type MouseEvent, type ReactNode, type Ref } from "react";

interface DialogProps {
  id?: string;
  className: string;
  /** Id of its heading. */
  labelledBy: string;
  children: ReactNode;
  onClose?: () => void;
}

/**
 * Renders a `<dialog>` for showModal(). Escape, a click outside and a link inside close it; the focus returns to the
 * opener.
 */
export const Dialog = forwardRef(function Dialog(
  { id, className, labelledBy, children, onClose }: DialogProps,
  ref: Ref<HTMLDialogElement>,
) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser handles Escape
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
