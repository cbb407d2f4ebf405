import { Form, useFetcher } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { Picture } from "~/ui/Picture";
import { asCardProducts, type CardProduct, productSearchUrl } from "../message-links";

interface ProductPickerProps {
  chatId: string;
  /** Searched text and its results (without JavaScript). */
  search: string;
  initial: CardProduct[] | null;
  onChoose: (product: CardProduct) => void;
  onClose: () => void;
}

/** Search for the product that a reply is about; without JavaScript each result is a submit button of a form. */
export function ProductPicker({ chatId, search, initial, onChoose, onClose }: ProductPickerProps) {
  const { found, find } = useProductSearch(initial, search);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
  };
  return (
    <Form
      method="get"
      action="/admin/chat"
      className="product-picker"
      id="products"
      onKeyDown={onKeyDown}
      onSubmit={(event) => event.preventDefault()}
    >
      <input type="hidden" name="chat" value={chatId} />
      <SearchField search={search} find={find} />
      <noscript>
        <button type="submit" className="btn">
          Search
        </button>
      </noscript>
      <button type="button" className="tool-button needs-script" aria-label="Close" onClick={onClose}>
        <Icon name="x" />
      </button>
      <FoundProducts found={found} onChoose={onChoose} />
    </Form>
  );
}

/** Searches while the reader types; the fetcher drops answers that a newer search has overtaken. */
function useProductSearch(initial: CardProduct[] | null, search: string) {
  const { data, load } = useFetcher<Parameters<typeof asCardProducts>[0] | { message: string }>();
  const find = (text: string) => load(productSearchUrl(text));
  const first = useRef(() => find(search));
  useEffect(() => first.current(), []);
  return { found: Array.isArray(data) ? asCardProducts(data) : initial, find };
}

function SearchField({ search, find }: { search: string; find: (text: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <label>
      <span className="visually-hidden">Search products</span>
      <input
        ref={field}
        className="input"
        type="search"
        name="attach"
        placeholder="Search products"
        defaultValue={search}
        maxLength={100}
        autoComplete="off"
        onInput={(event) => find(event.currentTarget.value)}
      />
    </label>
  );
}

interface FoundProductsProps {
  /** null until the first search is answered. */
  found: CardProduct[] | null;
  onChoose: (product: CardProduct) => void;
}

function FoundProducts({ found, onChoose }: FoundProductsProps) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {found && `${found.length} ${found.length === 1 ? "product" : "products"}`}
      </p>
      {found?.length === 0 && <p className="hint-box">No products match.</p>}
      <ul>
        {found?.map((product) => (
          <li key={product.id}>
            <button type="submit" name="product" value={product.id} onClick={() => onChoose(product)}>
              <Picture image={product.image} alt="" sizes="40px" width={40} />
              <b className="truncate">{product.name}</b>
              <span>{dollars(product.priceCents)}</span>
              <Stock left={product.stock} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Link to a product's page, in a new tab so that the conversation stays open. */
export function ProductLink({ id, name }: { id: string; name: string }) {
  return (
    <a href={`/products/${id}`} target="_blank" rel="noopener">
      {name}
    </a>
  );
}

/** Stock below which the quantity left is displayed. */
const LOW_STOCK = 5;

/** Current stock of a product; null for a deleted one. */
export function Stock({ left }: { left: number | null }) {
  if (left === null) return <span className="stock-level out">No longer sold</span>;
  if (left === 0) return <span className="stock-level out">Sold out</span>;
  if (left < LOW_STOCK) return <span className="stock-level low">{`Only ${left} left`}</span>;
  return <span className="stock-level">{`${left} in stock`}</span>;
}
