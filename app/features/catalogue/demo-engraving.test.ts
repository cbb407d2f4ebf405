import { expect, it } from "vitest";
import catalogue from "../../../data/catalogue.json";
import automatic from "../../../scripts/seed/responses.json";

it("offers the field for words where a demo product says that it is engraved, or that engraving is free", () => {
  const says = ({ name, descriptionHtml }: (typeof catalogue)[number]) =>
    /engraved/i.test(name) || /Engraving:<\/strong>[^<]*no charge/.test(descriptionHtml);
  const promised = catalogue.filter(says);
  expect(promised.map(({ slug }) => slug)).toContain("walnut-phone-dock");
  expect(promised.filter((product) => !("hasEngraving" in product)).map(({ slug }) => slug)).toEqual([]);
});

it("takes as long in the automatic response as on the products' pages, and promises an answer where they name none", () => {
  const answer = automatic.responses.find(({ trigger }) => trigger === "engraving")?.response;
  expect(answer).toMatch(/some are ready the same day, most one to four working days/);
  // Some pages name no time.
  expect(answer).toMatch(
    /Where the piece's page names a time, that one holds; for the others we'll tell you here/,
  );
  const engraved = catalogue.filter(({ category }) => category === "ENGRAVING");
  const times = engraved.flatMap(
    ({ descriptionHtml }) => /<strong>Time:<\/strong> ([^<;]+)/.exec(descriptionHtml)?.[1] ?? [],
  );
  const isInDays = (time: string) => /^(?:one|two|three|four) working days?$/.test(time);
  expect(times.filter(isInDays).length).toBeGreaterThan(times.length / 2);
  for (const time of times.filter((one) => !isInDays(one))) expect(time).toMatch(/same day|minutes$/);
});
