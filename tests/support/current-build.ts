import type { TestProject } from "vitest/node";
import { build } from "../../scripts/local-shop.mjs";

/** Builds the shop when its source is newer than the last build, also before a rerun in watch mode. */
export default function buildCurrentSource(project: TestProject): void {
  build();
  project.onTestsRerun(async () => build());
}
