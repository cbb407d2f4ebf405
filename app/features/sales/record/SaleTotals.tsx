import { type BusinessNames, businessName, PAYMENT_NAMES } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { type DocumentTotals, TotalsOfDocuments, TotalsRow } from "../DocumentTotals";
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

/** Totals of a sale in a column for each business, since each makes a document of its own. */
export function SaleTotals(props: SaleTotalsProps) {
  const { totals, deposits, overpaidCents, paid, total, received, businessNames } = props;
  const documents = totals.map((each) => ({ ...each, name: businessName(each.business, businessNames) }));
  return (
    <div>
      <table className="sale-totals" aria-label="Totals">
        {documents.length > 0 && (
          <TotalsOfDocuments documents={documents} hasCash={paid.some(({ mode }) => mode === "CASH")} />
        )}
        <Due documents={documents} deposits={deposits} paid={paid} total={total} received={received} />
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
  documents,
  deposits,
  paid,
  total,
  received,
}: Pick<SaleTotalsProps, "deposits" | "paid" | "total" | "received"> & { documents: DocumentTotals[] }) {
  const change = changeText(received, cashOf(paid));
  const columns = Math.max(1, documents.length);
  const isSummed = documents.length > 1 || (documents.length === 1 && deposits.length > 0);
  return (
    <tfoot>
      {isSummed && (
        <TotalsRow
          title={documents.length > 1 ? "Two documents" : "Document"}
          documents={documents}
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
