import { describe, expect, it } from "vitest";
import { importsOf, sourcesIn } from "./sources";

/** Modules, lowest tier first: each imports from the tiers below its own (docs/architecture.md, "Tiers"). */
const TIERS = [
  ["db", "domain"],
  ["http", "session", "ui", "styles", "records"],
  ["incidents", "storage", "accounts", "audit"],
  ["catalogue", "ledger", "chat", "push"],
  ["product-runs", "codes", "restock", "search-words"],
  ["inventory", "sales", "product-admin", "product-import", "cart", "favourites", "bookkeeping", "settings"],
  ["drawer"],
  [
    "home",
    "console",
    "conversation",
    "product-page",
    "ledger-pages",
    "dashboard",
    "analytics",
    "privacy",
    "integrations",
    "health",
    "backup",
    "audit-log",
    "labels",
    "sign-in",
  ],
  ["today", "find"],
  ["api"],
  ["routes", "layouts", "workers"],
];

/** Imports within a tier. This list may only become shorter. */
const WITHIN = [
  "accounts -> audit",
  "accounts -> incidents",
  "analytics -> dashboard",
  "chat -> catalogue",
  "chat -> push",
  "console -> conversation",
  "dashboard -> console",
  "db -> domain",
  "favourites -> cart",
  "http -> session",
  "integrations -> health",
  "inventory -> sales",
  "product-admin -> product-import",
  "records -> http",
  "records -> ui",
  "routes -> layouts",
  "session -> http",
  "storage -> incidents",
];

const moduleOf = (path: string) =>
  /^app\/features\/([^/]+)\//.exec(path)?.[1] ??
  /^app\/([^/.]+)\//.exec(path)?.[1] ??
  /^(workers)\//.exec(path)?.[1];
const tierOf = (module: string) => TIERS.findIndex((modules) => modules.includes(module));

/** Lists the imports between modules, as file and module. */
function arrows() {
  return sourcesIn("app", "workers").flatMap((file) => {
    const from = moduleOf(file);
    const others = new Set(importsOf(file).map(moduleOf));
    return [...others].flatMap((to) => (from && to && to !== from ? [{ file, from, to }] : []));
  });
}

describe("tiers (docs/architecture.md)", () => {
  it("every module has one", () => {
    const modules = new Set(sourcesIn("app", "workers").map(moduleOf));
    expect([...modules].filter((module) => module && tierOf(module) < 0)).toEqual([]);
  });

  it("imports within a tier are those that are listed", () => {
    const found = arrows().filter(({ from, to }) => tierOf(from) === tierOf(to));
    expect([...new Set(found.map(({ from, to }) => `${from} -> ${to}`))].sort()).toEqual(WITHIN);
  });

  it("no import leads to a higher tier", () => {
    const found = arrows().filter(({ from, to }) => tierOf(to) > tierOf(from));
    expect(found.map(({ file, to }) => `${file} -> ${to}`)).toEqual([]);
  });
});
