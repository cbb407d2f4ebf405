import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { Icon } from "~/ui/Icon";
import { useProducts } from "../client/api";
import type { MessageStore } from "../client/message-store";
import { ASKED_KEY, getSessionStorage, readEntry, writeEntry } from "../client/storage";
import {
  type CardProduct,
  isAttached,
  latestProductIds,
  MAX_CARDS,
  productLine,
  withLine,
} from "../message-links";
import { AskedProduct } from "../message-parts";
import type { ProductCard } from "../protocol";
import type { OpenRequest } from "./ChatWidget";

const PRODUCT_PAGE = /^\/products\/([\w-]{1,64})$/;
const NO_MESSAGES: MessageStore = { messages: [], unsent: [] };

/** Product that the reader asked about, by a link or `?product=`. */
interface Asked {
  id: string | null;
  /** It was the card of a message, or was dismissed. */
  isDone: boolean;
}

/** The product asked about, and how to replace it. */
export type AskedState = readonly [asked: Asked, setAsked: (asked: Asked) => void];

/** Holds the product that the reader asked about by Ask us, in this tab; each request to open the panel replaces it. */
export function useStoredAsked(request: OpenRequest | null): AskedState {
  const [asked, set] = useState<Asked>(() => {
    const { id } = readEntry(ASKED_KEY, getSessionStorage);
    return { id: typeof id === "string" ? id : null, isDone: false };
  });
  const setAsked = useCallback((next: Asked) => {
    writeEntry(ASKED_KEY, next.isDone ? null : { id: next.id }, getSessionStorage);
    set(next);
  }, []);
  useEffect(() => {
    if (request) setAsked({ id: request.productId, isDone: false });
  }, [request, setAsked]);
  return [asked, setAsked];
}

/** Holds the product that the reader asks about by the address of the chat's page. */
export function useAskedInUrl(): AskedState {
  const id = new URLSearchParams(useLocation().search).get("product");
  const [done, setDone] = useState<Asked | null>(null);
  return [done?.id === id ? done : { id, isDone: false }, setDone];
}

/** Message with the product that it is about. */
interface AboutProduct {
  message: string;
  card?: ProductCard | undefined;
}

/**
 * Reads the products of a conversation, and the one asked about: the card of the visitor's next message, once.
 *
 * @param loaded products that the page came with
 * @returns `product` is null without one, and after it was dismissed; `offered` is that of the page, to ask about
 */
export function useAskedProduct(
  [asked, setAsked]: AskedState,
  { messages, unsent }: MessageStore = NO_MESSAGES,
  loaded?: CardProduct[],
) {
  const { pathname, search } = useLocation();
  const { origin } = window.location;
  const pageId = PRODUCT_PAGE.exec(pathname)?.[1] ?? "";
  const shown = latestProductIds(messages, origin);
  const ids = [...new Set([asked.id ?? [], pageId || [], shown].flat())].slice(0, MAX_CARDS);
  const products = useProducts(ids, loaded);
  const found = products.get(asked.id ?? "") ?? null;
  const sending = unsent.map(({ card }) => ({ isFromAdmin: false, ...(card && { cards: [card] }) }));
  const isKnown = ({ id }: CardProduct) => isAttached([...messages, ...sending], id);
  const isSent = asked.isDone || (found !== null && isKnown(found));
  const about = (text: string, hasFiles: boolean): AboutProduct => {
    if (!found || isSent) return { message: text };
    return {
      // Beside files alone, the product is a message of its own.
      message: text || hasFiles ? withLine(text, productLine(found, origin)) : "",
      card: { type: "product", productId: found.id },
    };
  };
  useEffect(() => {
    if (isSent && !asked.isDone) setAsked({ ...asked, isDone: true });
  }, [isSent, asked, setAsked]);
  const dismiss = () => setAsked({ id: null, isDone: true });
  // Once it was sent, it stays where the reader asked about it.
  const isHere = asked.id === pageId || new URLSearchParams(search).get("product") === asked.id;
  const product = isSent && !isHere ? null : found;
  const ofPage = products.get(pageId);
  const offered = !product && ofPage && !isKnown(ofPage) ? ofPage : null;
  const ask = () => setAsked({ id: pageId, isDone: false });
  return { products, product, isAttached: isSent, about, dismiss, offered, ask };
}

type AskedProductBarProps = Omit<ReturnType<typeof useAskedProduct>, "products" | "about">;

/** Product that the next message is about; it can be removed until it is attached. Else the page's product is offered. */
export function AskedProductBar({ product, isAttached, dismiss, offered, ask }: AskedProductBarProps) {
  if (offered)
    return (
      <p className="chat-note soft">
        <button type="button" className="chat-link" onClick={ask}>
          <Icon name="plus" /> Ask about {offered.name}
        </button>
      </p>
    );
  if (!product) return null;
  return (
    <AskedProduct product={product}>
      {!isAttached && (
        <button type="button" aria-label={`Don't ask about ${product.name}`} onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
    </AskedProduct>
  );
}
