import { type BusinessNames, businessName, PAYMENT_NAMES } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { cashOf, type PaymentPart } from "../payments";
import type { BusinessTotals } from "./draft";

interface SaleTotalsProps {
  totals: BusinessTotals[];
  /** Paid before, by mode. */
  deposits: PaymentPart[];
  /** Deposits beyond the total. */
  overpaidCents: number;
  /** Amounts by mode. */
  paid: PaymentPart[];
  total: string;
  /** Cash received, as it was typed. */
  received: string;
  businessNames: BusinessNames;
}

const signed = (cents: number) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

/** Totals of a sale in a column for each business, since each makes a document of its own. */
export function SaleTotals(props: SaleTotalsProps) {
  const { totals, deposits, overpaidCents, paid, total, received, businessNames } = props;
  return (
    <div>
      <table className="sale-totals" aria-label="Totals">
        {totals.length > 0 && (
          <>
            <thead>
              <tr>
                <td />
                {totals.map(({ business }) => (
                  <th key={business} scope="col">
                    {businessName(business, businessNames)}
                  </th>
                ))}
              </tr>
            </thead>
            <Rows totals={totals} hasCash={paid.some(({ mode }) => mode === "CASH")} />
          </>
        )}
        <Due totals={totals} deposits={deposits} paid={paid} total={total} received={received} />
      </table>
      {overpaidCents > 0 && (
        <p className="error">{`The deposit is ${dollars(overpaidCents)} more than this sale. Pay it back first.`}</p>
      )}
      <noscript>
        <button type="submit" name="edit" value="none" className="btn">
          Update totals
        </button>
      </noscript>
    </div>
  );
}

/** Documents with what was paid before and is paid now, and what is left to collect. */
function Due({
  totals,
  deposits,
  paid,
  total,
  received,
}: Pick<SaleTotalsProps, "totals" | "deposits" | "paid" | "total" | "received">) {
  const change = changeText(received, cashOf(paid));
  const columns = Math.max(1, totals.length);
  const isSummed = totals.length > 1 || (totals.length === 1 && deposits.length > 0);
  return (
    <tfoot>
      {isSummed && (
        <Row
          title={totals.length > 1 ? "Two documents" : "Document"}
          totals={totals}
          cell={({ totalCents }) => dollars(totalCents)}
        />
      )}
      <PaidRows paid={deposits} columns={columns} isDeposit />
      {paid.length > 1 && <PaidRows paid={paid} columns={columns} />}
      <tr className="sale-due">
        <th scope="row">To collect</th>
        <td colSpan={columns}>{total}</td>
      </tr>
      {change && (
        <tr className="sale-change">
          <th scope="row">Change</th>
          <td colSpan={columns}>{change}</td>
        </tr>
      )}
    </tfoot>
  );
}

/** Formats the change for cash that was received; empty without any, or while it is less. */
export function changeText(received: string, cashCents: number): string {
  const amount = parseAmount(received);
  return amount?.isCertain && cashCents > 0 && amount.cents >= cashCents
    ? dollars(amount.cents - cashCents)
    : "";
}

interface PaidRowsProps {
  paid: PaymentPart[];
  columns: number;
  /** Deposits, which were paid before. */
  isDeposit?: boolean;
}

/** Amount of each mode. */
function PaidRows({ paid, columns, isDeposit = false }: PaidRowsProps) {
  return paid.map(({ mode, amountCents }) => (
    <tr key={mode}>
      <th scope="row">{isDeposit ? `Deposit, ${PAYMENT_NAMES[mode]}` : PAYMENT_NAMES[mode]}</th>
      <td colSpan={columns}>{dollars(isDeposit ? -amountCents : amountCents)}</td>
    </tr>
  ));
}

/** Lines, tax and rounding. */
function Rows({ totals, hasCash }: Pick<SaleTotalsProps, "totals"> & { hasCash: boolean }) {
  const taxed = totals.filter(({ rules }) => rules.number !== "");
  return (
    <tbody>
      <Row title="Lines" totals={totals} cell={({ linesCents }) => dollars(linesCents)} />
      {taxed.length > 0 && (
        <Row
          title={taxTitle(taxed)}
          totals={totals}
          cell={({ rules, taxCents }) => (rules.number ? dollars(taxCents) : "no tax")}
        />
      )}
      {hasCash && (
        <Row title="Rounding, cash" totals={totals} cell={({ roundingCents }) => signed(roundingCents)} />
      )}
    </tbody>
  );
}

/** Names the tax, with its rate where all businesses have the same. */
function taxTitle(taxed: BusinessTotals[]): string {
  const titles = taxed.map(
    ({ rules }) => `${rules.name} ${rules.rate / 100}%, ${rules.isIncluded ? "included" : "added"}`,
  );
  return new Set(titles).size === 1 ? (titles[0] ?? "") : "Tax";
}

interface RowProps {
  title: string;
  totals: BusinessTotals[];
  cell: (totals: BusinessTotals) => string;
}

function Row({ title, totals, cell }: RowProps) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {totals.map((each) => (
        <td key={each.business}>{cell(each)}</td>
      ))}
    </tr>
  );
}
