import {
  createContext,
  createElement,
  Fragment,
  forwardRef,
  type ReactNode,
  useContext,
  useState,
} from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { ProductCard } from "~/features/catalogue/ProductCard";
import { SocialIcon } from "./SocialIcons";
import { still } from "./still";
import { written } from "./written";

const h = createElement;

function Counted() {
  const [count] = useState(3);
  return h("b", null, count, " of ", 4);
}

/** What React's server writes within an element. */
function asReact(children: ReactNode): string {
  return renderToString(h("div", null, children)).slice("<div>".length, -"</div>".length);
}

/** What is written within an element that React's server draws, so that hooks have a component. */
function asWritten(children: ReactNode): string {
  return renderToString(h(Still, null, children)).slice("<div>".length, -"</div>".length);
}

const Still = ({ children }: { children?: ReactNode }) => h("div", { ...still(children) });
const IsWritten = ({ children }: { children?: ReactNode }) =>
  h("i", null, String(written(children) !== null));
const Broken = () => {
  throw new Error("broken");
};

const card = {
  id: "a-b",
  name: `"Tea" & <Toast>, it's`,
  priceCents: 106400,
  stock: 2,
  category: "HOME_DECOR",
  image: "minio:products/a b.webp",
  imageAlt: 'A "cup"',
};

const SHOWN: [name: string, children: ReactNode][] = [
  ["texts that follow on one another", ["a", "", "b", 1, null, false, h("i", { key: 1 }, "c"), "d", "e"]],
  ["a component with a hook", h(Counted)],
  ["fragments", h(Fragment, null, "a", h(Fragment, null, "b", h("br")), "c")],
  ["an icon's own text", h("svg", { viewBox: "0 0 1 1", dangerouslySetInnerHTML: { __html: "<path/>" } })],
  ["an icon's shapes", h(SocialIcon, { network: "instagram" })],
  [
    "attributes that are absent, or told by true and false",
    h(
      "a",
      { href: "/?a=1&b='2'", className: "", title: undefined, "aria-busy": false, "data-on": true },
      "x",
    ),
  ],
  ["a handler", h("a", { href: "/", onClick: () => undefined }, "x")],
  ["a card", h(ProductCard, { card, priority: true })],
  ["a card that says View Details", h(ProductCard, { card: { ...card, stock: 0 }, details: true })],
  [
    "a card whose picture is elsewhere",
    h(ProductCard, { card: { ...card, image: "https://a.test/?b=1&c=2" }, heading: "h3" }),
  ],
];

const Where = createContext("nowhere");
const Asking = () => h("i", null, useContext(Where));
const Passing = forwardRef<HTMLElement, { children?: ReactNode }>((props, ref) => h("i", { ...props, ref }));

const LEFT: [name: string, children: ReactNode][] = [
  ["a field", h("input", { name: "a", defaultValue: "b" })],
  ["a list to choose from", h("select", { defaultValue: "a" }, h("option", { value: "a" }))],
  ["a style", h("p", { style: { color: "red" } })],
  ["an attribute that means more than it says", h("p", { hidden: true })],
  ["a context of its own", h(Where.Provider, { value: "here" }, h(Asking))],
  ["a component that passes a ref on", h(Passing, null, "x")],
];

describe("what only shows something is written as React would write it, byte for byte", () => {
  it.each(SHOWN)("%s", (_name, children) => {
    expect(renderToString(h(IsWritten, null, children))).toBe("<i>true</i>");
    expect(asWritten(children)).toBe(asReact(children));
  });

  it.each(LEFT)("%s is left to React", (_name, children) => {
    expect(written(children)).toBeNull();
    expect(asWritten(children)).toBe(asReact(children));
  });

  it("a context from around it is heard", () => {
    const page = h(Where.Provider, { value: "here" }, h(Still, null, h(Asking)));
    expect(renderToString(page)).toBe("<div><i>here</i></div>");
  });

  it("what a component throws is thrown", () => {
    expect(() => written(h(Broken))).toThrow("broken");
  });
});
