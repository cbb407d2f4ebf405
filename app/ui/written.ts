import { Fragment, isValidElement, type ReactElement, type ReactNode } from "react";

/** Elements whose attributes mean no more than they say; fields and what belongs into a head are React's to write. */
const PLAIN = new Set(
  "a abbr article aside b circle data dd div dl dt em figure figcaption footer h1 h2 h3 h4 header i li nav ol p path rect section small span strong svg ul".split(
    " ",
  ),
);
/** Those that have nothing within. */
const VOID = new Set(["img", "br", "hr"]);

/** Attributes that are written as they are named, but for a few. What isn't named here is React's to write. */
const ATTRIBUTES = new Map(
  "alt cx cy d decoding fetchpriority fill height href id loading r referrerPolicy rel role rx sizes src srcSet title type value viewBox width x y"
    .split(" ")
    .map((name) => [name, ` ${name}="`]),
);
ATTRIBUTES.set("className", ' class="').set("fillRule", ' fill-rule="');

/** Thrown by what can't be written here. */
const LEFT_TO_REACT = Symbol("left to React");

/** Whether text was written last: React tells texts that follow on one another apart by a comment. */
let afterText = false;

/**
 * Writes elements as React's server would. Components are called as they stand, so that their hooks are those of the
 * component that is being rendered.
 *
 * @returns the same HTML, byte for byte; null where something is among them that only React can write
 */
export function written(node: ReactNode): string | null {
  afterText = false;
  try {
    return write(node);
  } catch (error) {
    if (error === LEFT_TO_REACT) return null;
    throw error;
  }
}

function write(node: ReactNode): string {
  if (typeof node === "string") return text(node);
  if (typeof node === "number") return text(`${node}`);
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (Array.isArray(node)) return all(node);
  if (!isValidElement<Properties>(node)) throw LEFT_TO_REACT;
  return element(node);
}

function all(nodes: ReactNode[]): string {
  let html = "";
  for (const node of nodes) html += write(node);
  return html;
}

type Properties = Record<string, unknown> & {
  children?: ReactNode;
  dangerouslySetInnerHTML?: { __html: string };
};

function element({ type, props }: ReactElement<Properties>): string {
  if (typeof type === "string") return tag(type, props);
  if (type === (Fragment as unknown)) return write(props.children);
  if (typeof type !== "function" || type.prototype?.isReactComponent) throw LEFT_TO_REACT;
  return write((type as (props: Properties) => ReactNode)(props));
}

function tag(name: string, props: Properties): string {
  let html = `<${name}`;
  for (const key in props) html += attribute(key, props[key]);
  afterText = false;
  if (VOID.has(name)) return `${html}/>`;
  if (!PLAIN.has(name)) throw LEFT_TO_REACT;
  const within = props.dangerouslySetInnerHTML?.__html ?? write(props.children);
  afterText = false;
  return `${html}>${within}</${name}>`;
}

function attribute(name: string, value: unknown): string {
  if (name === "children" || value === null || value === undefined || typeof value === "function") return "";
  const begin = ATTRIBUTES.get(name);
  if (begin) {
    if (typeof value === "string") return `${begin + escaped(value)}"`;
    if (typeof value === "number") return `${begin + value}"`;
  }
  if (name.startsWith("aria-") || name.startsWith("data-")) return ` ${name}="${escaped(`${value}`)}"`;
  if (name === "dangerouslySetInnerHTML") return "";
  throw LEFT_TO_REACT;
}

function text(said: string): string {
  if (said === "") return "";
  const html = afterText ? `<!-- -->${escaped(said)}` : escaped(said);
  afterText = true;
  return html;
}

const SPECIAL = /["'<>]/;

/** Addresses have no more than ampersands, and many of them. */
function escaped(said: string): string {
  const html = said.includes("&") ? said.replaceAll("&", "&amp;") : said;
  if (!SPECIAL.test(html)) return html;
  return html
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#x27;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
