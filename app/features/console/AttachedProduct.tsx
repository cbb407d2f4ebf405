import { useFetcher } from "@remix-run/react";
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import { dollars } from "~/domain/money";
import { consoleUrl } from "~/features/chat/console-params";
import {
  asCardProducts,
  type CardProduct,
  productLine,
  productSearchUrl,
  withLine,
} from "~/features/chat/message-links";
import type { ProductCard } from "~/features/chat/protocol";
import { isComposing } from "~/ui/composition";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import { Stock } from "./MessageStream";
import type { ConsoleData } from "./page.server";

const cardOf = ({ id }: CardProduct): ProductCard => ({ type: "product", productId: id });

/** State of the product that the next reply is about. */
export type AttachedProductState = ReturnType<typeof useAttachedProduct>;

/** Holds the product that the next reply is about, and opens the search for it. */
export function useAttachedProduct(page: ConsoleData, reply: RefObject<HTMLTextAreaElement>) {
  const { params, origin, products, attachable } = page;
  const initial = products.find(({ id }) => id === params.product) ?? null;
  const [product, setProduct] = useState(initial);
  const [isPicking, setPicking] = useState(attachable !== null);
  const close = () => {
    setPicking(false);
    reply.current?.focus();
  };
  const choose = (chosen: CardProduct | null) => {
    setProduct(chosen);
    close();
  };
  /** Composes the message that is sent for a text; "" without text and product. */
  const compose = (text: string) => ({
    message: product ? withLine(text, productLine(product, origin)) : text,
    card: product ? cardOf(product) : undefined,
  });
  const clear = () => {
    if (reply.current) reply.current.value = "";
    setProduct(null);
  };
  // Without JavaScript, the product of the URL needs a text.
  const isTextOptional = product !== null && product !== initial;
  const search = { text: params.attach ?? "", found: attachable };
  return { origin, search, product, isTextOptional, isPicking, setPicking, close, choose, compose, clear };
}

interface AttachedProductProps {
  chatId: string;
  attached: AttachedProductState;
}

/** Search for a product above the reply, and the chosen one. */
export function AttachedProduct({ chatId, attached }: AttachedProductProps) {
  const { product, search, isPicking, close, choose } = attached;
  const remove = (event: MouseEvent) => {
    event.preventDefault();
    choose(null);
  };
  return (
    <>
      {isPicking && (
        <ProductPicker
          chatId={chatId}
          search={search.text}
          initial={search.found}
          onChoose={choose}
          onClose={close}
        />
      )}
      {product && (
        <p className="attached-product">
          <Icon name="tag" className="i s" />
          <b className="truncate">{product.name}</b>
          <Link
            className="tool-button"
            to={consoleUrl({ chat: chatId })}
            aria-label={`Remove ${product.name}`}
            onClick={remove}
          >
            <Icon name="x" />
          </Link>
        </p>
      )}
    </>
  );
}

/** Fields of the chosen product, for the reply form without JavaScript. */
export function AttachedFields({ attached: { product, origin } }: Pick<AttachedProductProps, "attached">) {
  if (!product) return null;
  return (
    <>
      <input type="hidden" name="card" value={JSON.stringify(cardOf(product))} />
      <input type="hidden" name="about" value={productLine(product, origin)} />
    </>
  );
}

/** Button that opens the search for a product. */
export function AttachButton({ chatId, attached: { isPicking, setPicking, close } }: AttachedProductProps) {
  return (
    <Form
      method="get"
      action="/admin/chat"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPicking) close();
        else setPicking(true);
      }}
    >
      <input type="hidden" name="chat" value={chatId} />
      <button
        type="submit"
        className="btn quiet"
        name={isPicking ? undefined : "attach"}
        value=""
        aria-expanded={isPicking}
        aria-controls="products"
      >
        <Icon name="tag" className="i s" /> Attach a product
      </button>
    </Form>
  );
}

interface ProductPickerProps {
  chatId: string;
  /** Searched text and its results (without JavaScript). */
  search: string;
  initial: CardProduct[] | null;
  onChoose: (product: CardProduct) => void;
  onClose: () => void;
}

/** Search for the product that a reply is about; without JavaScript each result is a submit button of a form. */
function ProductPicker({ chatId, search, initial, onChoose, onClose }: ProductPickerProps) {
  const { found, find } = useProductSearch(initial, search);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || isComposing(event.nativeEvent)) return;
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
        {found && counted(found.length, "product")}
      </p>
      {found?.length === 0 && <p className="hint-box">No products match.</p>}
      <ul>
        {found?.map((product) => (
          <li key={product.id}>
            <button type="submit" name="product" value={product.id} onClick={() => onChoose(product)}>
              <Picture image={product.image} alt="" sizes="40px" width={40} />
              <b className="truncate">{product.name}</b>
              <span>{dollars(product.priceCents)}</span>
              <Stock left={product.stock} onHand={product.onHand} lowStock={product.lowStock} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
