import { grouped } from "~/domain/grouped";
import { dollars } from "~/domain/money";
import { Link } from "~/ui/navigation";
import type { ProductSale, RankedProducts } from "./products.queries.server";

/** Lists the products that sold most and least, by revenue and by pieces; null where the period has no sums of them. */
export function ProductSales({ products }: { products: RankedProducts | null }) {
  return (
    <article className="panel figures-panel">
      <h2>Products</h2>
      {products ? (
        <div className="ranked-products">
          <Ranked title="Best by revenue" rows={products.revenue.best} />
          <Ranked title="Best by pieces" rows={products.pieces.best} />
          <Ranked title="Weakest by revenue" rows={products.revenue.weakest} />
          <Ranked title="Weakest by pieces" rows={products.pieces.weakest} />
        </div>
      ) : (
        <p>Choose a month, a quarter, a year or all time to see the best and weakest products.</p>
      )}
      <p className="soft">
        Of sales with a document, less what was credited. Products that sold nothing are not listed.
      </p>
    </article>
  );
}

function Ranked({ title, rows }: { title: string; rows: ProductSale[] }) {
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
          <tr key={row.id}>
            <th scope="row">
              <ProductName {...row} />
            </th>
            <td className="num">{grouped(row.pieces)}</td>
            <td className="num">{dollars(row.amountCents)}</td>
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td colSpan={3}>None</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function ProductName({ id, name }: ProductSale) {
  if (name === null) return <span className="soft">Deleted product</span>;
  return (
    <Link className="truncate" to={`/admin/products-management?${new URLSearchParams({ edit: id })}`}>
      {name}
    </Link>
  );
}
