import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inputs, renewed } from "../../bench/costs.mjs";
import { MEASURED, readRecord, withTable } from "../../bench/record.mjs";
import { filesIn, ROOT, read } from "./sources";

/** Paths in backticks or links that begin with a folder of the repository and contain no placeholder. */
const PATH =
  /(?<=[`(])(?:app|workers|migrations|data|scripts|tests|bench|docs|public)\/[\w.$*-]+(?:\/[\w.$*-]+)*(?=[`)/ ])/g;
/** Created by programs and not committed. */
const GENERATED = ["bench/.work"];

describe("comments and messages of the code", () => {
  it("cite documents that exist", () => {
    const missing = filesIn(["app", "workers", "scripts", "tests", "bench"], /\.(?:tsx?|m?js|css)$/).flatMap(
      (file) =>
        [...read(file).matchAll(/\bdocs\/[\w./-]+\.(?:md|jpg)\b/g)]
          .filter(([path]) => !existsSync(join(ROOT, path)))
          .map(([path]) => `${file} cites ${path}`),
    );
    expect(missing, "Code cites only documents of today: correct the path").toEqual([]);
  });
});

describe("documents name files that exist", () => {
  it.each(filesIn(["README.md", "docs"], /\.md$/))("%s", (document) => {
    const missing = [...read(document).matchAll(PATH)]
      .map(([path]) => path)
      .filter((path) => !GENERATED.includes(path))
      .filter((path) =>
        path.includes("*") ? globSync(path, { cwd: ROOT }).length === 0 : !existsSync(join(ROOT, path)),
      );
    expect(missing, "A document names only files of today: correct the path").toEqual([]);
  });
});

it("docs/costs.md has the figures that its inputs give (npm run cost)", () => {
  const { model, actions, document } = inputs();
  expect(renewed(document, model, actions)).toBe(document);
});

describe("docs/bench.md", () => {
  it("has the figures of docs/bench.json, each with its commit", () => {
    const record = readRecord();
    expect(withTable(read("docs/bench.md"), record)).toBe(read("docs/bench.md"));
    for (const [section, { commit, date, rows }] of Object.entries(record)) {
      expect(commit, section).toMatch(/^[\da-f]{8}$/);
      expect(date, section).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(rows.length, section).toBeGreaterThan(0);
    }
  });

  it("knows the files that each section measures", () => {
    const sections = /const SECTIONS = \{([^}]*)\}/.exec(read("bench/measure.mjs"))?.[1] ?? "";
    const names = [...sections.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name ?? "");
    expect(Object.keys(MEASURED).sort()).toEqual(names.sort());
    const missing = Object.values(MEASURED)
      .flat()
      .filter((path) => !existsSync(join(ROOT, path)));
    expect(missing, "A section measures only files of today: correct the path").toEqual([]);
  });
});
