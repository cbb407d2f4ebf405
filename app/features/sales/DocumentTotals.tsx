import { dollars } from "~/domain/money";
import type { TaxRules } from "~/domain/tax";

/** Totals of a document that is about to be recorded, in cents. */
export interface DocumentTotals {
  /** Heading of its column. */
  name: string;
  rules: TaxRules;
  linesCents: number;
  taxCents: number;
  roundingCents: number;
  totalCents: number;
}

const signed = (cents: number) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

/** Lines, tax and rounding in a column for each document. */
export function TotalsOfDocuments({ documents, hasCash }: { documents: DocumentTotals[]; hasCash: boolean }) {
  const taxed = documents.filter(({ rules }) => rules.number !== "");
  return (
    <>
      <thead>
        <tr>
          <td />
          {documents.map(({ name }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two businesses may have one name
            <th key={i} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <TotalsRow title="Lines" documents={documents} cell={({ linesCents }) => dollars(linesCents)} />
        {taxed.length > 0 && (
          <TotalsRow
            title={taxTitle(taxed)}
            documents={documents}
            cell={({ rules, taxCents }) => (rules.number ? dollars(taxCents) : "no tax")}
          />
        )}
        {hasCash && (
          <TotalsRow
            title="Rounding, cash"
            documents={documents}
            cell={({ roundingCents }) => signed(roundingCents)}
          />
        )}
      </tbody>
    </>
  );
}

/** Names the tax, with its rate where all documents have the same. */
function taxTitle(taxed: DocumentTotals[]): string {
  const titles = taxed.map(
    ({ rules }) => `${rules.name} ${rules.rate / 100}%, ${rules.isIncluded ? "included" : "added"}`,
  );
  return new Set(titles).size === 1 ? (titles[0] ?? "") : "Tax";
}

interface RowProps {
  title: string;
  documents: DocumentTotals[];
  cell: (totals: DocumentTotals) => string;
}

/** Row with a cell for each document. */
export function TotalsRow({ title, documents, cell }: RowProps) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {documents.map((each, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two businesses may have one name
        <td key={i}>{cell(each)}</td>
      ))}
    </tr>
  );
}
