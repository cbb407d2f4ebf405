import { createElement, type ReactElement, type SVGAttributes } from "react";

/** An icon as lucide keeps it: its shapes, each a tag and its attributes, on a field of 24 by 24. */
interface IconData {
  node: [tag: string, attributes: Record<string, string>][];
}

/** How its lines look says the class that every icon has, `i` (base.css, admin-layout.css). */
const FIELD: SVGAttributes<SVGSVGElement> = { viewBox: "0 0 24 24", "aria-hidden": true };

/**
 * Draws one of lucide's icons. The build puts this in the place of lucide's own drawing, which weighs as much as ten
 * icons and can do what nobody here asks of it (scripts/lean-icons.ts). The server writes the same shapes as one text: a
 * page has twenty icons, and each shape would cost it as much as an element that changes.
 *
 * @returns a component that takes what an <svg> takes
 */
export default function drawn({ node }: IconData) {
  if (import.meta.env.SSR) {
    const dangerouslySetInnerHTML = { __html: node.map(written).join("") };
    return (attributes: SVGAttributes<SVGSVGElement>): ReactElement =>
      createElement("svg", { ...FIELD, ...attributes, dangerouslySetInnerHTML });
  }
  return (attributes: SVGAttributes<SVGSVGElement>): ReactElement =>
    createElement(
      "svg",
      { ...FIELD, ...attributes },
      ...node.map(([tag, shape]) => createElement(tag, shape)),
    );
}

/** A shape as React would write it; lucide's attributes are plain names and numbers. */
function written([tag, shape]: IconData["node"][number]): string {
  const attributes = Object.entries(shape).map(([name, value]) => ` ${name}="${value}"`);
  return `<${tag}${attributes.join("")}></${tag}>`;
}
