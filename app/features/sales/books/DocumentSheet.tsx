import { Link } from "@remix-run/react";
import { categoryName } from "~/features/catalogue/categories";
import { businessName, PAYMENT_NAMES } from "~/features/ledger/enums";
import { dollars } from "~/ui/money";
import { ScrollBox } from "~/ui/ScrollBox";
import type { DocumentPage } from "./document.server";
import { documentPath } from "./list-params";

/** Sheet of a document, with links to its customer, products and original. */
export function DocumentSheet({ page }: { page: DocumentPage }) {
  const { document, shopName } = page;
  const isCredit = document.kind === "credit";
  return (
    <article className="panel document-sheet" aria-label={isCredit ? "Credit note" : "Receipt"}>
      <header>
        <div>
          <b className="document-seller">{businessName(document.businessType, shopName)}</b>
          {document.taxNumber && <p>{`${document.taxName} ${document.taxNumber}`}</p>}
        </div>
        <Facts page={page} />
      </header>
      {isCredit && document.originalId && (
        <p className="document-original">
          Credits{" "}
          <Link className="quiet-link" to={documentPath(document.originalId)}>
            {document.originalNumber}
          </Link>
          {document.reason && `: ${document.reason}`}
        </p>
      )}
      <Lines page={page} />
      <Sums page={page} />
    </article>
  );
}

function Facts({ page: { document, day } }: { page: DocumentPage }) {
  const { kind, number, customerId, customerName } = document;
  return (
    <dl>
      <div>
        <dt>{kind === "credit" ? "Credit note" : "Receipt"}</dt>
        <dd>{number}</dd>
      </div>
      <div>
        <dt>Date</dt>
        <dd>{day}</dd>
      </div>
      {(customerId || customerName) && (
        <div>
          <dt>For</dt>
          <dd>
            {customerId ? (
              <Link className="quiet-link" to={`/admin/customers/${encodeURIComponent(customerId)}`}>
                {customerName || "Customer"}
              </Link>
            ) : (
              customerName
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Lines({ page: { document, products } }: { page: DocumentPage }) {
  const known = new Set(products.map(({ id }) => id));
  const isTaxed = document.taxNumber !== "";
  return (
    <ScrollBox label="Lines, scrolls" className="scroll-x">
      <table className="document-lines">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" className="wide-only">
              Category
            </th>
            <th scope="col" className="num">
              Qty
            </th>
            {isTaxed && (
              <th scope="col" className="num wide-only">
                Tax
              </th>
            )}
            <th scope="col" className="num">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {document.lines.map((line) => (
            <Line key={line.line} line={line} isTaxed={isTaxed} isLinked={known.has(line.productId ?? "")} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

interface LineProps {
  line: DocumentPage["document"]["lines"][number];
  isTaxed: boolean;
  /** Its product still exists. */
  isLinked: boolean;
}

function Line({ line, isTaxed, isLinked }: LineProps) {
  const { productId, description, category, quantity, amountCents, taxCents, returned } = line;
  return (
    <tr>
      <td>
        <ProductName id={isLinked ? productId : null} name={description} />
        {returned > 0 && <small>{`${returned} credited`}</small>}
      </td>
      <td className="wide-only">
        <span className={`category-badge ${category}`}>{categoryName(category)}</span>
      </td>
      <td className="num">{Math.abs(quantity)}</td>
      {isTaxed && <td className="num soft wide-only">{dollars(taxCents)}</td>}
      <td className="num">
        <b>{dollars(amountCents)}</b>
      </td>
    </tr>
  );
}

function ProductName({ id, name }: { id: string | null; name: string }) {
  if (!id) return name;
  return (
    <Link className="quiet-link" to={`/products/${encodeURIComponent(id)}`}>
      {name}
    </Link>
  );
}

/** Formats a tax rate: 1300 basis points are `13%`. */
const percent = (basisPoints: number) => `${basisPoints / 100}%`;

function Sums({ page: { document } }: { page: DocumentPage }) {
  const { taxNumber, taxName, taxRate, taxCents, taxIncluded, roundingCents, totalCents } = document;
  const net = totalCents - roundingCents - taxCents;
  const paid = document.kind === "credit" ? "Paid back" : "Paid";
  return (
    <div className="document-sums">
      <p className="soft">A document never changes. To correct it, credit the lines that were wrong.</p>
      <dl>
        {taxNumber !== "" && (
          <>
            <Sum label="Before tax" cents={net} />
            <Sum
              label={`${taxName} ${percent(taxRate)}${taxIncluded ? ", included" : ""}`}
              cents={taxCents}
            />
          </>
        )}
        {roundingCents !== 0 && <Sum label="Rounding, cash" cents={roundingCents} />}
        <div className="document-total">
          <dt>Total</dt>
          <dd>{dollars(totalCents)}</dd>
        </div>
        <div className="document-paid">
          <dt>{`${paid}, ${paidBy(document.paymentMode)}`}</dt>
          <dd>{dollars(totalCents)}</dd>
        </div>
      </dl>
    </div>
  );
}

const paidBy = (mode: DocumentPage["document"]["paymentMode"]) =>
  mode === "EMT" ? PAYMENT_NAMES.EMT : PAYMENT_NAMES[mode].toLowerCase();

function Sum({ label, cents }: { label: string; cents: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{dollars(cents)}</dd>
    </div>
  );
}
