import { businessName } from "~/features/ledger/enums";
import { dollars } from "~/ui/money";
import type { BusinessTotals } from "./draft";

interface SaleTotalsProps {
  totals: BusinessTotals[];
  totalCents: number;
  shopName: string;
  isCash: boolean;
}

const signed = (cents: number) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

/** Totals of a sale in a column for each business, since each makes a document of its own. */
export function SaleTotals({ totals, totalCents, shopName, isCash }: SaleTotalsProps) {
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
                    {businessName(business, shopName)}
                  </th>
                ))}
              </tr>
            </thead>
            <Rows totals={totals} isCash={isCash} />
          </>
        )}
        <tfoot>
          {totals.length > 1 && (
            <Row title="Two documents" totals={totals} cell={({ totalCents: cents }) => dollars(cents)} />
          )}
          <tr className="sale-due">
            <th scope="row">To collect</th>
            <td colSpan={Math.max(1, totals.length)}>{dollars(totalCents)}</td>
          </tr>
        </tfoot>
      </table>
      <noscript>
        <button type="submit" name="edit" value="none" className="btn">
          Update totals
        </button>
      </noscript>
    </div>
  );
}

/** Lines, tax and rounding. */
function Rows({ totals, isCash }: Pick<SaleTotalsProps, "totals" | "isCash">) {
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
      {isCash && (
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
