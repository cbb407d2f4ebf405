import { expect, it } from "vitest";
import catalogue from "../../../data/catalogue.json";

it("offers the field for words where a demo product says that it is engraved, or that engraving is free", () => {
  const says = ({ name, descriptionHtml }: (typeof catalogue)[number]) =>
    /engraved/i.test(name) || /Engraving:<\/strong>[^<]*no charge/.test(descriptionHtml);
  const promised = catalogue.filter(says);
  expect(promised.map(({ slug }) => slug)).toContain("walnut-phone-dock");
  expect(promised.filter((product) => !("hasEngraving" in product)).map(({ slug }) => slug)).toEqual([]);
});
