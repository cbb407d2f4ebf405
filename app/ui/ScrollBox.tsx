import type { ReactNode } from "react";

interface ScrollBoxProps {
  label: string;
  className: string;
  children: ReactNode;
}

export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is nested in a section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <div className={className} role="region" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}
