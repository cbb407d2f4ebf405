import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn, ROOT, read } from "./sources";

const routes = readdirSync(join(ROOT, "app/routes"));
const textOf = (route: string) => read(`app/routes/${route}`);

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

  it("no product can have the id of a route beside api/product/{id}", () => {
    const schema = read("app/features/catalogue/product.ts");
    const reserved = [...(/RESERVED_IDS = \[([^\]]+)\]/.exec(schema)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    const names = filesIn(["app/features"], /\.server\.ts$/).flatMap((file) =>
      [...read(file).matchAll(/route: "[A-Z]+ product\/([a-z-]+)/g)].map(([, name]) => name),
    );
    expect(names).toContain("all");
    expect(reserved, "Add the route's name to RESERVED_IDS in app/features/catalogue/product.ts").toEqual(
      expect.arrayContaining(names),
    );
  });
});
