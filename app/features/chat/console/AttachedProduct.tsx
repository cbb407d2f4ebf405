import { Form, Link } from "@remix-run/react";
import { type MouseEvent, type RefObject, useState } from "react";
import { Icon } from "~/ui/Icon";
import { type CardProduct, productLine, withLine } from "../message-links";
import type { ProductCard } from "../protocol";
import { ProductPicker } from "./ProductPicker";
import type { ConsoleData } from "./page.server";
import { consoleUrl } from "./params";

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
  /** Clears the field and the product unless they make another message than the stored one by now. */
  const clear = (stored: string) => {
    const field = reply.current;
    const text = field?.value.trim() ?? "";
    if (![text, compose(text).message].includes(stored)) return;
    if (field) field.value = "";
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
