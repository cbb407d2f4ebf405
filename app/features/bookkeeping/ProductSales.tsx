import { businessName } from "~/domain/enums";
import { grouped } from "~/domain/grouped";
import { dollars } from "~/domain/money";
import { Link } from "~/ui/navigation";
import type { ProductSale } from "./products.queries.server";
import type { BookkeepingPage } from "./schema";

/** Lists the products that sold most and least, by revenue and by pieces. */
export function ProductSales({ page }: { page: BookkeepingPage }) {
  const { revenue, pieces } = page.products;
  const lists = [
    { title: "Best by revenue", rows: revenue.best },
    { title: "Best by pieces", rows: pieces.best },
    { title: "Weakest by revenue", rows: revenue.weakest },
    { title: "Weakest by pieces", rows: pieces.weakest },
  ].filter(({ rows }) => rows.length > 0);
  return (
    <article className="panel figures-panel">
      <h2>Products</h2>
      {lists.length > 0 ? (
        <div className="ranked-products">
          {lists.map(({ title, rows }) => (
            <Ranked key={title} title={title} rows={rows} page={page} />
          ))}
        </div>
      ) : (
        <p>No product was sold with a document in this period.</p>
      )}
      <p className="soft">
        Of sales with a document, with tax, less what was credited. Products that sold nothing are not listed.
      </p>
    </article>
  );
}

interface RankedProps {
  title: string;
  rows: ProductSale[];
  page: BookkeepingPage;
}

function Ranked({ title, rows, page: { scope, businessNames } }: RankedProps) {
  return (
    <table className="figures">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Product</th>
          <th scope="col" className="num">
            Pieces
          </th>
          <th scope="col" className="num">
            Revenue
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.business} ${row.id}`}>
            <th scope="row">
              <ProductName {...row} />
              {scope.business === null && <small>{businessName(row.business, businessNames)}</small>}
            </th>
            <td className="num">{grouped(row.pieces)}</td>
            <td className="num">{dollars(row.amountCents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ProductName({ id, name, isDeleted }: ProductSale) {
  if (isDeleted) return <span className="soft">{name} (deleted)</span>;
  return <Link to={`/admin/products-management?${new URLSearchParams({ edit: id })}`}>{name}</Link>;
}
