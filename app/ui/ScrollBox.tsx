import type { ReactNode } from "react";

interface ScrollBoxProps {
  label: string;
  className: string;
  children: ReactNode;
}

/** A part of a page that scrolls by itself, by keyboard too. */
export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section within a section would be one too many
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={className} role="region" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}
