import type { ReactNode } from "react";
import { written } from "./written";

/**
 * Children of an element that only show something: no forms, no contexts of their own, nothing that is waited for. The
 * server writes them as one text, which takes it less time than React takes for as many elements; the browser gets them as
 * they are. What the server doesn't know how to write it leaves to React.
 *
 * @returns the element's `children`, to be spread among its properties
 */
export function still(
  children: ReactNode,
): { children: ReactNode } | { dangerouslySetInnerHTML: { __html: string } } {
  const __html = import.meta.env.SSR ? written(children) : null;
  return __html === null ? { children } : { dangerouslySetInnerHTML: { __html } };
}
