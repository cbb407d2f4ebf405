import { createElement, type ReactElement, type SVGAttributes } from "react";

/** An icon as lucide keeps it: its shapes, each a tag and its attributes, on a field of 24 by 24. */
interface IconData {
  node: [tag: string, attributes: Record<string, string>][];
}

const LINES: SVGAttributes<SVGSVGElement> = {
  width: 24,
  height: 24,
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  "aria-hidden": true,
};

/**
 * Draws one of lucide's icons. The build puts this in the place of lucide's own drawing, which weighs as much as ten
 * icons and can do what nobody here asks of it (scripts/lean-icons.ts).
 *
 * @returns a component that takes what an <svg> takes
 */
export default function drawn({ node }: IconData) {
  return (attributes: SVGAttributes<SVGSVGElement>): ReactElement =>
    createElement(
      "svg",
      { ...LINES, ...attributes },
      ...node.map(([tag, shape]) => createElement(tag, shape)),
    );
}
