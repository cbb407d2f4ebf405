import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nameOf, PARAMETER, pathOf } from "../support/route-paths";
import { filesIn, ROOT, read } from "./sources";

const routes = readdirSync(join(ROOT, "app/routes"));
const textOf = (route: string) => read(`app/routes/${route}`);

/** Operations with a route. */
const declared = filesIn(["app"], /\.ts$/).flatMap((file) =>
  // Top-level statements; an operation has its route two spaces in.
  read(file)
    .split(/\n(?=\S)/)
    .flatMap((statement) => {
      const route = /^ {2}route: "([^"]+)"/m.exec(statement)?.[1];
      return route ? [{ file, route, isExported: statement.includes("export const") }] : [];
    }),
);

describe("adding a page is adding a file", () => {
  it("each page of the shop is public (`handle`) or hidden from search engines (`hidden: true` in `meta`)", () => {
    const undecided = routes
      .filter((name) => /^_shop\..+\.tsx$/.test(name))
      .filter(
        (name) =>
          !/export const handle: PageHandle|hidden: true|status=\{\d+\}|_shop\.\$\.tsx/.test(
            name + textOf(name),
          ),
      );
    expect(undecided, "Export `handle` (app/http/page.server.ts), or set `hidden: true` in pageMeta").toEqual(
      [],
    );
  });

  it("each file in public/ has a dot in its name", () => {
    const unnamed = readdirSync(join(ROOT, "public")).filter(
      (name) => name !== "_headers" && !name.includes("."),
    );
    expect(unnamed, "`run_worker_first` in wrangler.toml sends paths without a dot to the Worker").toEqual(
      [],
    );
  });

  it("each operation with a route is in the API", () => {
    const table = read("app/api/routes.server.ts");
    const collected = /SOURCES: object\[\] = \[([^\]]+)\]/.exec(table)?.[1] ?? "";
    const modules = [...table.matchAll(/^import \* as (\w+) from "~\/([^"]+)"/gm)]
      .filter(([, name]) => new RegExp(`\\b${name}\\b`).test(collected))
      .map(([, , path]) => `app/${path}.ts`);
    expect(declared.map(({ route }) => route)).toContain("GET product/all");
    const missing = declared
      .filter(({ file }) => !modules.includes(file))
      .map(
        ({ file, route }) => `${file} declares ${route}, but is not in SOURCES of app/api/routes.server.ts`,
      );
    const hidden = declared
      .filter(({ file, isExported }) => modules.includes(file) && !isExported)
      .map(({ file, route }) => `${file} declares ${route} in an operation that it does not export`);
    expect([...missing, ...hidden]).toEqual([]);
  });

  it("each operation with a route stands in a file or folder called operations", () => {
    const others = declared.filter(({ file }) => !/\/operations(?:\/|\.server)/.test(file));
    expect(others.map(({ file, route }) => `${file}: ${route}`)).toEqual([]);
  });

  it("docs/product.md has each page", () => {
    const [, pages = ""] = /^### 2\.1 Shop$(.+)^### 2\.3 /ms.exec(read("docs/product.md")) ?? [];
    const documented = [...pages.matchAll(/`(\/[^`?]*)`/g)].map(([, path = ""]) =>
      path.replaceAll(/\{\w+\}/g, PARAMETER),
    );
    const missing = routes
      .filter((file) => /^(?:_shop|admin)\.(?!\$\.).+\.tsx$/.test(file))
      .map((file) => ({ file, path: pathOf(nameOf(file)) }))
      .filter(({ path }) => !documented.includes(path))
      .map(({ file, path }) => `${path} (app/routes/${file})`);
    expect(documented).toContain("/admin");
    expect(missing, "Add it to the table of docs/product.md, 2.1 or 2.2").toEqual([]);
  });
});
