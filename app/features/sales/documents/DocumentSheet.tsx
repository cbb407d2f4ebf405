import { categoryName } from "~/domain/category-name";
import { dollars } from "~/domain/money";
import { Link } from "~/ui/navigation";
import { ScrollBox } from "~/ui/ScrollBox";
import { creditedText, discountText } from "../document";
import { LineHeads } from "../LineHeads";
import type { ReceiptSum } from "../receipt/content";
import { customerPath, documentPath } from "../urls";
import type { DocumentPage } from "./page.server";

/** Sheet of a document, with links to its customer, products and original. */
export function DocumentSheet({ page }: { page: DocumentPage }) {
  const { document, content } = page;
  const isCredit = document.kind === "credit";
  return (
    <article className="panel document-sheet" aria-label={content.title}>
      <header>
        <div>
          <b className="document-seller">{content.seller}</b>
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
      {page.replacements.length > 0 && (
        <p className="document-original">
          {"Corrected by "}
          {page.replacements.map(({ id, number }) => (
            <Link key={id} className="quiet-link" to={documentPath(id)}>
              {number}
            </Link>
          ))}
        </p>
      )}
      <Lines page={page} />
      <Sums page={page} />
    </article>
  );
}

function Facts({ page: { document, content, day } }: { page: DocumentPage }) {
  const { number, customerId, customerName } = document;
  return (
    <dl>
      <div>
        <dt>{content.title}</dt>
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
              <Link className="quiet-link" to={customerPath(customerId)}>
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

function Lines({ page: { document, products, content } }: { page: DocumentPage }) {
  const known = new Set(products.map(({ productId }) => productId));
  const isTaxed = document.taxNumber !== "";
  return (
    <ScrollBox label="Lines, scrolls" className="scroll-x">
      <table className="document-lines">
        <LineHeads
          heads={[
            "Item",
            ["Category", "wide-only"],
            ["Qty", "num"],
            ["Price", "num wide-only"],
            isTaxed && ["Tax", "num wide-only"],
            ["Amount", "num"],
          ]}
        />
        <tbody>
          {document.lines.map((line, i) => (
            <Line
              key={line.line}
              line={line}
              price={content.lines[i]?.price ?? ""}
              isTaxed={isTaxed}
              isLinked={known.has(line.productId ?? "")}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

interface LineProps {
  line: DocumentPage["document"]["lines"][number];
  /** Of one piece, before the discount; empty where the amount is not a multiple of it. */
  price: string;
  isTaxed: boolean;
  /** Its product still exists. */
  isLinked: boolean;
}

function Line({ line, price, isTaxed, isLinked }: LineProps) {
  const { productId, description, category, quantity, amountCents, taxCents } = line;
  const discount = discountText(line);
  const credited = creditedText(line);
  return (
    <tr>
      <td>
        <ProductName id={isLinked ? productId : null} name={description} />
        {discount && <small>{discount}</small>}
        {credited && <small>{credited}</small>}
      </td>
      <td className="wide-only">
        <span className={`category-badge ${category}`}>{categoryName(category)}</span>
      </td>
      <td className="num">{quantity === 0 ? "" : Math.abs(quantity)}</td>
      <td className="num soft wide-only">{price}</td>
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

function Sums({ page: { content } }: { page: DocumentPage }) {
  const { sums, total, paid } = content;
  return (
    <div className="document-sums">
      <p className="soft">A document never changes. Others correct or credit what was wrong.</p>
      <dl>
        {sums.map((sum) => (
          <Sum key={sum.label} {...sum} />
        ))}
        <Sum className="document-total" {...total} />
        {paid.map((sum) => (
          <Sum key={sum.label} className="document-paid" {...sum} />
        ))}
      </dl>
    </div>
  );
}

function Sum({ label, amount, className }: ReceiptSum & { className?: string }) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{amount}</dd>
    </div>
  );
}
