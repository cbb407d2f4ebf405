import { StaticToast, type StatusProps } from "./Toasts";

/**
 * Result of a form. It is in the HTML, at the top right, for browsers without JavaScript; with JavaScript it becomes a
 * toast that disappears.
 */
export function StatusRegion(props: StatusProps) {
  if (!props.message) return null;
  return (
    <div className="toasts" role="status">
      <StaticToast {...props} />
    </div>
  );
}
