import { expect, it } from "vitest";
import { triggerChanges } from "../../scripts/record-triggers";

it("triggers list the fields that the record of products has (npm run db:generate writes them)", () => {
  expect(triggerChanges()).toEqual([]);
});
