import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../scripts/local-shop.mjs";
import { plantedBugs, readPatch } from "../simulation/runtime/bundle.mjs";

it.each(plantedBugs())("the planted bug %s fits the code", (name) => {
  const { file, apply } = readPatch(name);
  const source = readFileSync(join(ROOT, file), "utf8");
  expect(apply(source)).not.toBe(source);
});
