import { Link } from "@remix-run/react";
import { categoryName } from "~/features/catalogue/categories";
import { Icon } from "~/ui/Icon";
import { DialogHead, useModal } from "~/ui/modal";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import type { ProductDetail } from "./list-params";

interface ViewDialogProps {
  product: ProductDetail;
  back: string;
  /** URL of its edit dialog. */
  editUrl: string;
}

/** Dialog with the details of a product. */
export function ViewDialog({ product, back, editUrl }: ViewDialogProps) {
  return (
    <dialog {...useModal({ back })} open className="dialog form-dialog" aria-labelledby="dialog-title">
      <DialogHead title="Product Details" back={back} />
      <div className="details">
        <Pictures product={product} />
        <Details product={product} />
      </div>
      <footer>
        <Link className="btn" to={back} replace preventScrollReset>
          Close
        </Link>
        <Link className="btn primary" to={editUrl} replace preventScrollReset>
          <Icon name="pencil" className="i s" />
          Edit
        </Link>
      </footer>
    </dialog>
  );
}

function Pictures({ product: { name, imageUrls } }: { product: ProductDetail }) {
  return (
    <ul className="product-pictures" aria-label="Images">
      {imageUrls.length === 0 && <li className="soft">No image yet</li>}
      {imageUrls.map((url, index) => (
        <li key={url}>
          <Picture image={url} alt={`${name}, image ${index + 1}`} sizes="140px" width={160} />
        </li>
      ))}
    </ul>
  );
}

function Details({ product }: { product: ProductDetail }) {
  const { id, name, category, priceCents, stock, colors, descriptionHtml } = product;
  return (
    <dl className="product-facts">
      <div className="whole">
        <dt>Name</dt>
        <dd>
          <a href={`/products/${id}`}>{name}</a>
        </dd>
      </div>
      <div>
        <dt>Category</dt>
        <dd>
          <span className={`category-badge ${category}`}>{categoryName(category)}</span>
        </dd>
      </div>
      <div>
        <dt>Price</dt>
        <dd>{dollars(priceCents)}</dd>
      </div>
      <div>
        <dt>Stock</dt>
        <dd>{stock.toLocaleString("en")}</dd>
      </div>
      <div>
        <dt>Colors</dt>
        <dd>{colors.join(", ") || <span className="soft">None</span>}</dd>
      </div>
      <div className="whole">
        <dt>Description</dt>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised when written and again when it was read */}
        <dd className="rich-text" dangerouslySetInnerHTML={{ __html: descriptionHtml || "<p>None</p>" }} />
      </div>
    </dl>
  );
}
