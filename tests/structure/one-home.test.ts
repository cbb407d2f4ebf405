import { expect, it } from "vitest";
import { filesIn, read } from "./sources";

/** Rules of app/domain, and texts that only a copy of one contains. */
const COPIES: [string, RegExp][] = [
  [
    "Amounts are formatted by app/domain/money.ts",
    /[cC]ents\w*\)?\s*\/ 100\)\s*\.to(?:Fixed|LocaleString)\(/,
  ],
  ["The sign of the currency is CURRENCY_SIGN", /`\$\$\{|>\$<|"\$"\s*\+|\[\$,/],
  ["The currency is CURRENCY", /"(?:CAD|USD)"|style: "currency"/],
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
