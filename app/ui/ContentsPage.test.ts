import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ContentsPage } from "./ContentsPage";

const htmlOf = (contents?: { id: string; title: string }[]) =>
  renderToStaticMarkup(
    ContentsPage({ title: "Imprint", lead: "Who we are.", children: "Text", ...(contents && { contents }) }),
  );

it("a text has a table of contents where it names one", () => {
  expect(htmlOf([{ id: "one", title: "One" }])).toMatch(
    /<nav[^>]*>.*<a href="#one">One<\/a>.*<\/nav>.*Text/s,
  );
  expect(htmlOf()).toMatch(/<h1>Imprint<\/h1>.*Text/s);
  expect(htmlOf()).not.toContain("<nav");
});
