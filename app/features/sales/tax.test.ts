import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cashRounding, taxOf } from "~/domain/tax";
import { allocate, type CreditPart, creditTotals, leftOfLine, saleTotals } from "./tax";

const HST = { number: "1", name: "HST", rate: 1300, isIncluded: true };
const NET = { ...HST, isIncluded: false };
const NONE = { ...HST, number: "" };
const sum = (cents: number[]) => cents.reduce((total, each) => total + each, 0);

/** Line that nothing was taken back of. */
const soldLine = (changes: { quantity: number; amountCents: number } & Partial<CreditPart["line"]>) => ({
  taxCents: 0,
  discountCents: 0,
  returned: 0,
  creditedCents: 0,
  creditedTaxCents: 0,
  ...changes,
});

describe("tax", () => {
  it.each([
    [11_300, HST, 1300],
    [100, HST, 12],
    [1, HST, 0],
    [4, NET, 1],
    [50, { ...NET, rate: 100 }, 1],
    [49, { ...NET, rate: 100 }, 0],
    [11_300, NONE, 0],
    [0, HST, 0],
    [999_999_999_900, HST, 115_044_247_776],
  ])("of %d cents by %j is %d", (cents, rules, tax) => {
    expect(taxOf(cents, rules)).toBe(tax);
  });
});

describe("cash rounding", () => {
  it.each([
    [1000, 5, 0],
    [1001, 5, -1],
    [1002, 5, -2],
    [1003, 5, 2],
    [1004, 5, 1],
    [-1002, 5, 2],
    [-1003, 5, -2],
    [0, 5, 0],
    [1004, 10, -4],
    [1005, 10, 5],
    [-1005, 10, -5],
    [1009, 10, 1],
    [1003, 1, 0],
  ])("of %d to multiples of %d adds %d", (total, step, rounding) => {
    expect(cashRounding(total, step)).toBe(rounding);
  });
});

const prices = fc.array(fc.nat(9_999_999_999), { minLength: 1, maxLength: 20 });

describe("sums", () => {
  it("allocates every cent, each share within one cent of its part", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), prices, (cents, weights) => {
        const parts = allocate(cents, weights);
        const total = sum(weights);
        return (
          sum(parts) === cents &&
          (total === 0 ||
            parts.every(
              (part, i) => Math.abs(part - (cents * (weights[i] ?? 0)) / total) <= 1 + 1e-6 * cents,
            ))
        );
      }),
      { numRuns: 1000 },
    );
  });

  it("add up to the total, for every rule", () => {
    fc.assert(
      fc.property(prices, fc.constantFrom(HST, NET, NONE), (each, rules) => {
        const { amounts, taxes, taxCents, exactCents } = saleTotals(each, rules);
        return sum(taxes) === taxCents && sum(amounts) === exactCents;
      }),
      { numRuns: 1000 },
    );
  });

  it("of credit notes for all pieces, in any parts, equal the line", () => {
    const parts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.nat(9_999_999), fc.nat(99_999), parts, (amountCents, taxCents, pieces) => {
        const quantity = sum(pieces);
        let returned = 0;
        let [amount, tax] = [0, 0];
        for (const piece of pieces) {
          const line = soldLine({
            ...{ quantity, amountCents, taxCents, returned },
            creditedCents: -amount,
            creditedTaxCents: -tax,
          });
          const totals = creditTotals(
            [{ line, quantity: piece }],
            { lines: [line], roundingSoFarCents: 0 },
            null,
          );
          amount += totals.totalCents;
          tax += totals.taxCents;
          returned += piece;
        }
        return amount === -amountCents && tax === -taxCents;
      }),
      { numRuns: 1000 },
    );
  });

  /** Credits a part of a line, whose counts follow. @returns discount taken back */
  const creditShare = (line: CreditPart["line"], byAmount: boolean, share: number): number => {
    const quantity = byAmount ? 0 : Math.ceil(((line.quantity - line.returned) * share) / 100);
    const amountCents = Math.floor((leftOfLine(line) * share) / 100);
    const part: CreditPart = byAmount
      ? { line: { ...line }, quantity: 0, amountCents }
      : { line: { ...line }, quantity };
    const totals = creditTotals([part], { lines: [line], roundingSoFarCents: 0 }, null);
    line.creditedCents -= totals.exactCents;
    line.creditedTaxCents -= totals.taxCents;
    line.returned += quantity;
    return -sum(totals.discounts);
  };

  it("of credits by pieces and by amounts, in any order, equal the line", () => {
    const part = fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 100 }));
    fc.assert(
      fc.property(fc.nat(99_999), fc.nat(9_999), fc.array(part, { maxLength: 8 }), (amount, tax, parts) => {
        const line = soldLine({ quantity: 5, amountCents: amount, taxCents: tax, discountCents: 501 });
        const discounts = [...parts.map(([byAmount, share]) => creditShare(line, byAmount, share))];
        const inBounds = line.creditedCents <= amount && line.creditedTaxCents <= tax;
        discounts.push(creditShare(line, false, 100));
        return inBounds && line.creditedCents === amount && sum(discounts) === 501;
      }),
      { numRuns: 1000 },
    );
  });

  const steps = fc.constantFrom(1, 5, 10);

  interface Credited {
    piece: number;
    isCash: boolean;
    step: number;
  }

  const creditInParts = (amountCents: number, pieces: number[], stepCents = 5) => {
    const quantity = sum(pieces);
    let roundingSoFarCents = cashRounding(amountCents, stepCents);
    let returned = 0;
    let creditedCents = 0;
    return pieces.map((piece) => {
      const line = soldLine({ quantity, amountCents, returned, creditedCents });
      const cash = { otherCents: 0, stepCents };
      const totals = creditTotals([{ line, quantity: piece }], { lines: [line], roundingSoFarCents }, cash);
      creditedCents -= totals.exactCents;
      roundingSoFarCents += totals.roundingCents;
      returned += piece;
      return totals.totalCents;
    });
  };

  it.each([
    ["3 × $1.02", 306, [-100, -100, -105]],
    ["3 × $1.03", 309, [-105, -105, -100]],
    ["3 × $0.03", 9, [-5, -5, 0]],
    ["3 × $0.02", 6, [0, 0, -5]],
  ])("of cash credits of %s, one by one, are what was paid", (_, amountCents, totals) => {
    expect(creditInParts(amountCents, [1, 1, 1])).toEqual(totals);
  });

  it("of cash credits give back what was paid, never more on the way", () => {
    const parts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.nat(99_999), parts, steps, (amountCents, pieces, step) => {
        const paid = amountCents + cashRounding(amountCents, step);
        const totals = creditInParts(amountCents, pieces, step);
        const isRight = (total: number, i: number) =>
          total <= 0 && total % step === 0 && -sum(totals.slice(0, i + 1)) <= paid;
        return totals.every(isRight) && -sum(totals) === paid;
      }),
      { numRuns: 1000 },
    );
  });

  /** Credits a sale part by part. @returns what is left of its payment; null where a credit note gives back too much */
  function leftAfter(amountCents: number, isPaidInCash: boolean, each: Credited[]): number | null {
    const quantity = sum(each.map(({ piece }) => piece));
    let roundingSoFarCents = isPaidInCash ? cashRounding(amountCents, 5) : 0;
    let left = amountCents + roundingSoFarCents;
    let returned = 0;
    let creditedCents = 0;
    for (const { piece, isCash, step } of each) {
      const line = soldLine({ quantity, amountCents, returned, creditedCents });
      const cash = isCash ? { otherCents: 0, stepCents: step } : null;
      const totals = creditTotals([{ line, quantity: piece }], { lines: [line], roundingSoFarCents }, cash);
      creditedCents -= totals.exactCents;
      roundingSoFarCents += totals.roundingCents;
      returned += piece;
      left += totals.totalCents;
      if (left < 0 || totals.totalCents > 0 || (isCash && totals.totalCents % step !== 0)) return null;
    }
    return left;
  }

  it("of credit notes in any modes give back what was paid, never more on the way", () => {
    const part = fc.record({ piece: fc.integer({ min: 1, max: 5 }), isCash: fc.boolean(), step: steps });
    const parts = fc.array(part, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.nat(99_999), fc.boolean(), parts, (amountCents, isPaidInCash, each) => {
        const left = leftAfter(amountCents, isPaidInCash, each);
        const last = each.at(-1);
        // Cash has no single cents.
        return left !== null && (last?.isCash ? left < last.step : left === 0);
      }),
      { numRuns: 1000 },
    );
  });

  it("of a credit note pay back what is left at most, whatever is asked for in other modes than cash", () => {
    const cents = fc.nat(20_000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 3 }),
        cents,
        (amountCents, quantity, otherCents) => {
          const line = soldLine({ quantity: 3, amountCents });
          const { totalCents, exactCents } = creditTotals(
            [{ line, quantity }],
            { lines: [line], roundingSoFarCents: 0 },
            { otherCents, stepCents: 5 },
          );
          const isExact = otherCents > amountCents ? -totalCents <= -exactCents : true;
          return isExact && totalCents <= 0 && -totalCents <= amountCents;
        },
      ),
      { numRuns: 1000 },
    );
  });
});
