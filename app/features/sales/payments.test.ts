import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PAYMENT_MODES, type PaymentMode } from "~/domain/enums";
import {
  byMode,
  draftTender,
  handedSums,
  linesByMode,
  mainMode,
  type PaymentPart,
  paidCents,
  settle,
} from "./payments";
import { sum } from "./tax";

const part = (mode: PaymentMode, amountCents: number): PaymentPart => ({ mode, amountCents });
const inParts = (...parts: PaymentPart[]) => ({ parts, rest: null, stepCents: 5 });
const restBy = (rest: PaymentMode, ...parts: PaymentPart[]) => ({ parts, rest, stepCents: 5 });
const line = (amountCents: number, taxCents = 0, quantity = 1) => ({
  invoiceId: `line-${amountCents}`,
  quantity,
  amountCents,
  taxCents,
});

describe("the payment of documents", () => {
  it("counts deposits first, then the modes, and rounds the cash alone", () => {
    const tender = inParts(part("CASH", 2500), part("CARD", 1503));
    expect(settle([7002], [part("EMT", 3000)], tender)).toMatchObject({
      documents: [
        { deposits: [part("EMT", 3000)], paid: [part("CARD", 1503), part("CASH", 2500)], roundingCents: 1 },
      ],
      overpaidCents: 0,
      toPayCents: 4003,
      isPaid: true,
    });
  });

  it("rounds the cash of each of two documents", () => {
    const { documents, toPayCents } = settle([1002, 1002], [], restBy("CASH"));
    expect([documents.map(({ roundingCents }) => roundingCents), toPayCents]).toEqual([[-2, -2], 2000]);
  });

  it.each([
    [1, [0, 1002]],
    [5, [-2, 1000]],
    [10, [-2, 1000]],
  ])("rounds cash to multiples of %i cents", (stepCents, [rounding, toPay]) => {
    const { documents, toPayCents } = settle([1002], [], { ...restBy("CASH"), stepCents });
    expect([documents[0]?.roundingCents, toPayCents]).toEqual([rounding, toPay]);
  });

  it.each<[string, PaymentPart[], number]>([
    ["too little", [part("CARD", 999)], 1002],
    ["too much", [part("CARD", 1003)], 1002],
    ["too much beside cash", [part("CARD", 2000), part("CASH", 5)], 1002],
    ["cash that is not rounded", [part("CASH", 1002)], 1000],
    ["nothing", [], 1002],
  ])("is refused with %s", (_, parts, toPayCents) => {
    expect(settle([1002], [], inParts(...parts))).toMatchObject({ isPaid: false, toPayCents });
  });

  it("leaves the rest to a mode, and is refused where the parts are more", () => {
    const paidBy = (...tender: Parameters<typeof restBy>) => settle([1002, 500], [], restBy(...tender));
    expect(paidBy("CARD", part("CASH", 1200))).toMatchObject({
      documents: [{ paid: [part("CARD", 302), part("CASH", 700)] }, { paid: [part("CASH", 500)] }],
      isPaid: true,
    });
    expect(paidBy("CASH", part("EMT", 1000))).toMatchObject({ toPayCents: 1500, isPaid: true });
    expect(paidBy("CARD", part("CASH", 1505)).isPaid).toBe(false);
    expect(paidBy("CASH", part("EMT", 1503)).isPaid).toBe(false);
  });

  it("counts deposits towards the document of their business first, then the others", () => {
    const deposits = [part("CASH", 900)];
    const counted = (first: number) => settle([600, 500], deposits, restBy("CARD"), first);
    expect(counted(1).documents.map((each) => each.deposits)).toEqual([
      [part("CASH", 400)],
      [part("CASH", 500)],
    ]);
    expect(counted(0).documents.map((each) => each.deposits)).toEqual([
      [part("CASH", 600)],
      [part("CASH", 300)],
    ]);
  });

  it("asks for nothing when deposits pay all of it, and tells what they are above it", () => {
    expect(settle([1000], [part("EMT", 1000)], inParts())).toMatchObject({ isPaid: true, toPayCents: 0 });
    expect(settle([1000], [part("EMT", 1200)], restBy("CARD")).overpaidCents).toBe(200);
  });

  const modes = fc.subarray([...PAYMENT_MODES], { minLength: 1 });
  const deposit = fc
    .tuple(fc.constantFrom(...PAYMENT_MODES), fc.integer({ min: -500, max: 900 }))
    .map(([mode, cents]) => part(mode, cents));
  const document = fc.array(fc.nat(3000), { minLength: 1, maxLength: 4 });

  /** States payments of totals in some modes, cash last for what is left. */
  function tenderOf(exact: number[], net: PaymentPart[], tendered: PaymentMode[], share: number) {
    const due = sum(exact) - paidCents(net);
    const others = tendered.filter((mode) => mode !== "CASH");
    const hasCash = others.length < tendered.length;
    const first = others.length === 1 && !hasCash ? due : Math.floor((due * share) / 100);
    const stated = others.map((mode, i) => part(mode, i === 0 ? first : hasCash ? 0 : due - first));
    if (!hasCash) return stated;
    const { toPayCents } = settle(exact, net, inParts(...stated, part("CASH", 0)));
    return [...stated, part("CASH", toPayCents - paidCents(stated))];
  }

  const centsOf = (mode: PaymentMode, parts: PaymentPart[]) =>
    paidCents(parts.filter((each) => each.mode === mode));

  function expectLedger(lines: number[], payments: PaymentPart[]) {
    const taxed = lines.map((cents) => line(cents, Math.floor(cents / 9)));
    const rows = linesByMode(taxed, payments, "CASH");
    for (const mode of PAYMENT_MODES) expect(centsOf(mode, rows)).toBe(centsOf(mode, payments));
    expect(sum(rows.map(({ taxCents }) => taxCents))).toBe(sum(taxed.map(({ taxCents }) => taxCents)));
  }

  it("is what they come to, and the ledger has its modes, also where deposits were paid back by another mode", () => {
    const documents = fc.array(document, { minLength: 1, maxLength: 2 });
    const deposits = fc.array(deposit, { maxLength: 3 }).map(byMode);
    fc.assert(
      fc.property(documents, modes, deposits, fc.nat(100), (lines, tendered, net, share) => {
        const exact = lines.map((each) => sum(each));
        fc.pre(paidCents(net) >= 0 && paidCents(net) <= sum(exact));
        const settled = settle(exact, net, inParts(...tenderOf(exact, net, tendered, share)));
        expect(settled.isPaid).toBe(true);
        for (const [i, { deposits: counted, paid, roundingCents }] of settled.documents.entries()) {
          const payments = [...counted, ...paid];
          expect(paidCents(payments)).toBe((exact[i] ?? 0) + roundingCents);
          expectLedger(lines[i] ?? [], [...payments, part(mainMode(payments, "CASH"), -roundingCents)]);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("lines by payment mode", () => {
  it("are whole where a mode pays them, and one is divided, whose other rows have no pieces", () => {
    const rows = linesByMode(
      [line(6000, 600, 2), line(1000)],
      [part("EMT", 3000), part("CASH", 2500), part("CARD", 1500)],
      "CASH",
    );
    expect(
      rows.map(({ mode, quantity, amountCents, taxCents }) => [mode, quantity, amountCents, taxCents]),
    ).toEqual([
      ["EMT", 2, 2000, 200],
      ["CASH", 0, 2500, 250],
      ["CARD", 0, 1500, 150],
      ["EMT", 1, 1000, 0],
    ]);
    expect(new Set(rows.map(({ invoiceId }) => invoiceId)).size).toBe(4);
  });

  it("of a credit note are negative", () => {
    const rows = linesByMode([line(-1000, -100)], [part("CARD", -700), part("CASH", -300)], "CASH");
    expect(rows.map(({ mode, amountCents, taxCents }) => [mode, amountCents, taxCents])).toEqual([
      ["CARD", -700, -70],
      ["CASH", -300, -30],
    ]);
  });

  it("of $0.00 are of the mode that was named", () => {
    expect(linesByMode([line(0)], [], "EMT")).toMatchObject([{ mode: "EMT", amountCents: 0, quantity: 1 }]);
  });
});

describe("what a customer may hand over", () => {
  it.each([
    [8200, [8200, 8500, 9000, 10000]],
    [5, [5, 500, 1000, 2000]],
    [2000, [2000, 5000, 10000]],
    [10000, [10000]],
    [123456, [123456, 123500, 124000, 125000]],
  ])("for %i cents is all of it and the next notes", (cents, sums) => {
    expect(handedSums(cents)).toEqual(sums);
  });
});

describe("parts of a payment that are typed", () => {
  it.each([
    [{ paidEmt: "0.001" }, []],
    [{ paidEmt: "", paidCard: "0" }, []],
    [{ paidEmt: "1,234.50", paidCard: " 5 " }, [part("EMT", 123_450), part("CARD", 500)]],
    [{ paidCash: "3", paidEmt: "2" }, [part("EMT", 200)]],
  ])("%j count where they are amounts above 0 of another mode than the rest", (fields, parts) => {
    expect(draftTender(fields, "CASH", 5)).toEqual({ parts, rest: "CASH", stepCents: 5 });
  });
});
