import ts from "typescript";
import { describe, expect, it } from "vitest";
import { CURRENCY_CODES } from "~/domain/currencies";
import * as shopCurrency from "../../app/domain/currency";
import * as testCurrency from "../support/currency";
import { filesIn, importsOf, read } from "./sources";

/** Rules of app/domain, and texts that only a copy of one contains. */
const COPIES: [string, RegExp][] = [
  [
    "Amounts are formatted by app/domain/money.ts",
    /[cC]ents\w*\)?\s*\/ 100\)\s*\.to(?:Fixed|LocaleString)\(/,
  ],
  ["Amounts are not formatted in a currency of Intl", /style: "currency"/],
  ["The highest amount is MAX_CENTS", /9_?999_?999_?999/],
  [
    "Levels of stock are compared in app/domain/stock-levels.ts",
    /\b(?:stock|left|available|pieces|\w*Pieces)\b\s*<=?\s*[1-9]/i,
  ],
  [
    "The limits of stock are those of app/domain/stock-levels.ts",
    /(?:LOW|SCARCE)_STOCK\s*=(?!=|>| LOW_STOCK)/,
  ],
];

it.each(COPIES)("%s", (rule, copy) => {
  const copies = filesIn(["app", "workers", "scripts"], /(?<!\.test)\.tsx?$/)
    .filter((file) => !file.startsWith("app/domain/"))
    .flatMap((file) => {
      const [found] = copy.exec(read(file)) ?? [];
      return found === undefined ? [] : [`${file}: ${found}`];
    });
  expect(copies, rule).toEqual([]);
});

/** Code or name of a currency, or a sign other than the dollar's. */
const CURRENCY = new RegExp(
  String.raw`(?<![\p{L}\d_])(?:${CURRENCY_CODES}|[dD]ollars?|[eE]uros?|francs?)(?![\p{L}\d_])|[^\P{Sc}$]`,
  "u",
);
/** Dollar sign beside an amount, alone, or among other characters; patterns and paths have others. */
const DOLLAR = /\$\d|(?:^|[\s(>])\$$|\[[^\]=]*\$(?!=)[^\]]*\]/;
/** Files about any currency, and texts in which signs mean no currency. */
const ABOUT_CURRENCIES = [
  "app/domain/currencies.ts",
  "app/domain/currency.ts",
  "app/features/product-import/currency.ts",
];
const NO_CURRENCY: Record<string, string> = {
  "app/features/accounts/passwords.server.ts": "separator of a hash's parts",
  "app/features/catalogue/engraved-lines.ts": "width of a character",
  "app/features/chat/html-characters.ts": "characters that mail programs write by name",
  "app/features/product-import/readers/code-pages.ts": "character that encodings write differently",
  "scripts/test-changed.mjs": "beginning of a route's parameter",
  "workers/routes.ts": "beginning of a route's parameter",
};

/** Lists the texts of a file that mention a currency. */
function currenciesIn(file: string): string[] {
  if (file.endsWith(".json")) return mentions(file, read(file).split("\n"), DOLLAR);
  if (file.endsWith(".css")) return mentions(file, read(file).match(/content: "[^"]*"/g) ?? [], /\$/);
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    // `$1` is a group there.
    if (ts.isCallExpression(node) && /\.replace(?:All)?$/.test(node.expression.getText()))
      return visit(node.expression);
    if (ts.isRegularExpressionLiteral(node)) found.push(...mentions(file, [node.text], /$^/));
    else if (ts.isJsxText(node)) found.push(...mentions(file, [node.text], /\$/));
    else if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    )
      found.push(...mentions(file, [node.text], DOLLAR));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const mentions = (file: string, texts: string[], dollar: RegExp) =>
  texts
    .filter((text) => CURRENCY.test(text) || dollar.test(text))
    .map((text) => `${file}: ${text.trim().slice(0, 80)}`);

describe("the shop's currency (docs/decisions/0065-currency.md)", () => {
  it("is named in app/domain/currency.ts alone", () => {
    const files = filesIn(["app", "workers", "scripts", "data"], /(?<!\.test)\.(?:tsx?|mjs|css|json)$/);
    const others = files.filter((file) => !ABOUT_CURRENCIES.includes(file) && !(file in NO_CURRENCY));
    expect(others.flatMap(currenciesIn), "Import it from ~/domain/currency").toEqual([]);
  });

  it("is imported as the module that tests replace", () => {
    const importers = filesIn(["app", "workers", "scripts"], /\.(?:tsx?|mjs)$/)
      .filter((file) => importsOf(file).includes("app/domain/currency"))
      .filter((file) => !read(file).includes('from "~/domain/currency"'));
    expect(importers, "Import ~/domain/currency").toEqual([]);
  });

  it("has the same parts in tests", () => {
    const shape: typeof shopCurrency = testCurrency;
    expect(Object.keys(shape)).toEqual(Object.keys(shopCurrency));
  });
});
