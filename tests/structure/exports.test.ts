import { expect, it } from "vitest";
import { filesIn, read, SOURCE_FOLDERS } from "./sources";

/** Modules whose exports Remix and drizzle-kit read by their names. */
const READ_BY_TOOLS = /^app\/(?:routes\/|root|entry\.|routes\.ts|db\/.*schema)/;

/** The table of the API collects operations with a route from whole modules. */
it("every exported value is used in another file", () => {
  const files = new Map<string, number>();
  for (const file of filesIn(SOURCE_FOLDERS))
    for (const word of new Set(read(file).match(/[\w$]+/g))) files.set(word, (files.get(word) ?? 0) + 1);
  const unused = filesIn(["app", "workers"], /(?<!\.test)\.tsx?$/)
    .filter((file) => !READ_BY_TOOLS.test(file))
    .flatMap((file) =>
      [
        ...read(file).matchAll(
          /^export (?:async )?(?:const|function|class) ([\w$]+)\b(?! = operation\(\{\n {2}route:)/gm,
        ),
      ]
        .filter(([, name = ""]) => files.get(name) === 1)
        .map(([, name]) => `${file}: ${name}`),
    );
  expect(unused, "Delete it, or the word `export`").toEqual([]);
});
