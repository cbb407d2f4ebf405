import { useLocation } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import {
  type CardProduct,
  isAttached,
  lastAsked,
  latestProductIds,
  MAX_CARDS,
  productLine,
  withLine,
} from "~/features/chat/message-links";
import {
  askedCard,
  haveSameOptions,
  NOTHING_SELECTED,
  type ProductSelection,
  readOptions,
} from "~/features/chat/product-selection";
import type { ProductCard } from "~/features/chat/protocol";
import { getSessionStorage, readEntry, writeEntry } from "~/ui/browser-storage";
import { Icon } from "~/ui/Icon";
import { listen } from "~/ui/listen";
import { useProducts } from "../client/api";
import type { MessageStore, UnsentMessage } from "../client/message-store";
import { ASKED_KEY } from "../client/storage";
import { AskedProduct, ChangeOptions } from "../message-parts";
import type { OpenRequest } from "./ChatWidget";

const PRODUCT_PAGE = /^\/products\/([\w-]{1,64})$/;
const NO_MESSAGES: MessageStore = { messages: [], unsent: [] };

/** Product that the reader asks about, with the options that they chose. */
interface ProductQuestion {
  id: string | null;
  /** It was the card of a message, or was dismissed. */
  isDone: boolean;
  options: ProductSelection;
}

/** The product asked about, and how to replace it. */
export type AskedState = readonly [asked: ProductQuestion, setAsked: (asked: ProductQuestion) => void];

const pageProduct = (pathname: string) => PRODUCT_PAGE.exec(pathname)?.[1] ?? "";

/** Form of the product's page, whose options are those of the question. */
const pageForm = () => document.querySelector<HTMLFormElement>("form#buy");

const optionsIn = (fields: FormData | null): ProductSelection =>
  fields ? readOptions((name) => fields.get(name)) : NOTHING_SELECTED;

/** Reads the options of the product's page. */
function pageOptions(): ProductSelection {
  const form = pageForm();
  return optionsIn(form && new FormData(form));
}

/**
 * Holds the product that the reader asked about by Ask us, in this tab; each request to open the panel replaces it. While
 * nothing was sent, it follows the page in front.
 *
 * @param hasChat a conversation has begun: only a product that is asked about already follows
 */
export function useStoredAsked(request: OpenRequest | null, hasChat: boolean): AskedState {
  const pageId = pageProduct(useLocation().pathname);
  const [asked, set] = useState<ProductQuestion>(() => {
    const { id, options } = readEntry(ASKED_KEY, getSessionStorage);
    const stored = Object(options) as Record<string, unknown>;
    return {
      id: typeof id === "string" ? id : null,
      isDone: false,
      options: readOptions((name) => stored[name]),
    };
  });
  const setAsked = useCallback((next: ProductQuestion) => {
    const { id, options } = next;
    writeEntry(ASKED_KEY, next.isDone ? null : { id, options }, getSessionStorage);
    set(next);
  }, []);
  useEffect(() => {
    if (!request) return;
    const { productId: id, fields } = request;
    setAsked({ id, isDone: false, options: optionsIn(fields) });
  }, [request, setAsked]);
  const isFollowing = !hasChat || (asked.id !== null && !asked.isDone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (pageId && pageId !== asked.id && isFollowing && !request)
      setAsked({ id: pageId, isDone: false, options: pageOptions() });
  }, [pageId]);
  return [asked, setAsked];
}

/** Follows the options that are chosen on the page of a product. */
function usePageOptions(pageId: string): ProductSelection {
  const [options, set] = useState(pageOptions);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another form
  useEffect(() => {
    const update = () => set((known) => sameOr(known, pageOptions()));
    update();
    // The page's stepper draws its number after the click.
    return listen(document, ["input", "click"], () => requestAnimationFrame(update));
  }, [pageId]);
  return options;
}

/** Returns the known options unless others were chosen, so that equal ones draw nothing anew. */
const sameOr = (known: ProductSelection, options: ProductSelection) =>
  haveSameOptions(known, options) ? known : options;

/** Holds the product that the reader asks about by the address of the chat's page. */
export function useAskedInUrl(): AskedState {
  const params = new URLSearchParams(useLocation().search);
  const id = params.get("product");
  const [changed, setChanged] = useState<ProductQuestion | null>(null);
  const named = { id, isDone: false, options: readOptions((name) => params.get(name)) };
  return [changed?.id === id ? changed : named, setChanged];
}

/** Stores whether the product has been a card with its options. */
function useSent([asked, setAsked]: AskedState, options: ProductSelection, isKnown: boolean): boolean {
  const isChanged = !haveSameOptions(options, asked.options);
  const isSent = (asked.isDone && !isChanged) || isKnown;
  useEffect(() => {
    if (asked.id && (isSent !== asked.isDone || isChanged))
      setAsked({ id: asked.id, isDone: isSent, options });
  }, [isSent, isChanged, options, asked, setAsked]);
  return isSent;
}

/** Message with the product that it is about. */
interface AboutProduct {
  message: string;
  card?: ProductCard | undefined;
}

/** Composes the message about a product, if any; beside files alone, the product is a message of its own. */
function withProduct(
  text: string,
  hasFiles: boolean,
  product: Pick<CardProduct, "id" | "name"> | null,
  options: ProductSelection,
): AboutProduct {
  if (!product) return { message: text };
  const line = productLine(product, window.location.origin, options);
  return {
    message: text || hasFiles ? withLine(text, line) : "",
    card: askedCard(product.id, options),
  };
}

const sentSoon = ({ card }: UnsentMessage) => ({ isFromAdmin: false, ...(card && { cards: [card] }) });

/** Names the product of the page by its heading, for a question that is sent before its product is read. */
const pageNamed = (id: string) => ({ id, name: document.querySelector("h1")?.textContent ?? "" });

/**
 * Reads the products of a conversation, and the one asked about: the card of the visitor's next message, once.
 *
 * @param loaded products that the page came with
 * @returns `product` is null without one, and after it was dismissed; `offered` is that of the page, to ask about;
 *   `unasked` is that of the first questions
 */
export function useAskedProduct(
  [asked, setAsked]: AskedState,
  { messages, unsent }: MessageStore = NO_MESSAGES,
  loaded?: CardProduct[],
) {
  const { pathname, search } = useLocation();
  const pageId = pageProduct(pathname);
  const ids = [asked.id ?? [], pageId || [], latestProductIds(messages, window.location.origin)].flat();
  const products = useProducts([...new Set(ids)].slice(0, MAX_CARDS), loaded);
  const found = products.get(asked.id ?? "") ?? null;
  const written = [...messages, ...unsent.map(sentSoon)];
  const onPage = usePageOptions(pageId);
  const isDismissed = asked.isDone && !asked.id;
  const isOnPage = asked.id === pageId && pageForm() !== null;
  const options = isOnPage ? onPage : asked.options;
  const isSent = useSent([asked, setAsked], options, isAttached(written, asked.id, options));
  useEffect(() => {
    const last = lastAsked(written, pageId);
    // On the page of a product that was asked about, other choices go along with the next message.
    if (!last || asked.id === pageId || isDismissed) return;
    const options = pageOptions();
    const isDone = [last, NOTHING_SELECTED].some((known) => haveSameOptions(known, options));
    setAsked({ id: pageId, isDone, options });
  });
  const dismiss = () => setAsked({ id: null, isDone: true, options: NOTHING_SELECTED });
  const change = (next: ProductSelection) => setAsked({ ...asked, isDone: false, options: next });
  // Once it was sent, it stays where the reader asked about it.
  const isHere = asked.id === pageId || new URLSearchParams(search).get("product") === asked.id;
  const product = isSent && !isHere ? null : found;
  const offered = product ? null : products.get(pageId);
  const ask = () => setAsked({ id: pageId, isDone: false, options: onPage });
  const next = isSent ? null : found;
  const unasked = isDismissed ? null : (offered ?? next);
  const about = (text: string, hasFiles: boolean, isFirst = false) => {
    const named = (isFirst ? unasked : next) ?? (isOnPage && !isSent ? pageNamed(pageId) : null);
    return withProduct(text, hasFiles, named, offered ? onPage : options);
  };
  const state = { product, options, isOnPage, isAttached: isSent, offered, unasked };
  return { ...state, products, about, dismiss, change, ask };
}

interface FirstQuestionsProps extends Pick<ReturnType<typeof useAskedProduct>, "unasked"> {
  onAsk(question: string): void;
}

/** First questions about the product above the field, until it is asked about. */
export function FirstQuestions({ unasked, onAsk }: FirstQuestionsProps) {
  if (!unasked?.questions) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of acts, not of fields
    <div className="chat-first" role="group" aria-label="First questions">
      {unasked.questions.map((question) => (
        <button key={question} type="button" onClick={() => onAsk(question)}>
          {question}
        </button>
      ))}
    </div>
  );
}

interface AskedProductBarProps
  extends Omit<ReturnType<typeof useAskedProduct>, "products" | "about" | "unasked"> {
  /** Shows the page behind the panel, where it is covered. */
  showPage?: (() => void) | undefined;
}

/** Product that the next message is about; it can be removed until it is attached. Else the page's product is offered. */
export function AskedProductBar(props: AskedProductBarProps) {
  const { product, options, isAttached, dismiss, offered, ask } = props;
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
    <AskedProduct product={product} options={options}>
      {!isAttached && (
        <button type="button" aria-label={`Don't ask about ${product.name}`} onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
      <Change {...props} product={product} />
    </AskedProduct>
  );
}

/** Leads to the fields of the product's page, or shows them where another page is in front. */
function Change({
  product,
  options,
  isOnPage,
  change,
  showPage,
}: AskedProductBarProps & { product: CardProduct }) {
  if (!isOnPage)
    return (
      <form
        className="chat-options"
        onSubmit={(event) => event.preventDefault()}
        onInput={({ currentTarget }) => {
          const fields = new FormData(currentTarget);
          change(readOptions((name) => fields.get(name)));
        }}
      >
        <ChangeOptions key={product.id} product={product} options={options} />
      </form>
    );
  const show = () => {
    // The page is out of reach until the panel is drawn anew.
    flushSync(() => showPage?.());
    const field = pageForm()?.querySelector<HTMLElement>(
      "[name^=c]:checked,fieldset:not(:has(:checked)) input,[name=engraving],[name=quantity]",
    );
    // After a click, browsers would draw no focus on a radio button.
    const drawn: FocusOptions & { focusVisible: boolean } = { preventScroll: true, focusVisible: true };
    field?.focus(drawn);
    field?.scrollIntoView({ block: "center" });
  };
  return (
    <button type="button" className="chat-link" onClick={show}>
      Change
    </button>
  );
}
