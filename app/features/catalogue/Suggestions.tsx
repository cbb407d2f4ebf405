import escapeRegExp from "escape-string-regexp";
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { categoryName } from "~/domain/category-name";
import { dollars } from "~/domain/money";
import { isComposing } from "~/ui/composition";
import { Icon } from "~/ui/Icon";
import { Link, useNavigate } from "~/ui/navigation";
import { Picture } from "~/ui/Picture";
import onDemandCss from "./on-demand.css?url";
import type { Suggested } from "./operations/suggest.server";
import { categoryUrl, shopUrl } from "./urls";

/** Delay after the last key, ms. */
const DEBOUNCE = 120;
const MIN_LETTERS = 2;
const MAX_LETTERS = 60;

interface SuggestionsProps {
  input: RefObject<HTMLInputElement>;
  /** Text of the page when the field was focused. */
  first: string;
  onChoose?: () => void;
}

/** List of suggestions under a search field, which it makes a combobox (ARIA Authoring Practices Guide). */
export default function Suggestions({ input, first, onChoose }: SuggestionsProps): ReactNode {
  const list = useId();
  const { found, close } = useSuggestions(input, first);
  const navigate = useNavigate();
  const urls = found ? urlsOf(found) : [];
  const [active, setActive] = useActive(input, urls);
  const [isStyled, setStyled] = useState(false);
  const isOpen = isStyled && urls.length > 0;
  const optionId = (index: number) => `${list}${index}`;
  const choose = (url?: string) => {
    onChoose?.();
    close();
    if (url) navigate(url);
  };
  const cancel = () => {
    close();
    input.current?.blur();
  };
  useAttributes(input, { list, isOpen, active: active < 0 ? null : optionId(active) });
  useOptionKeys(input, { urls, active, setActive, close, choose });
  return (
    <>
      <link
        rel="stylesheet"
        href={onDemandCss}
        onLoad={() => setStyled(true)}
        onError={() => setStyled(true)}
      />
      <span className="visually-hidden" role="status">
        {isOpen && `${urls.length} suggestions`}
      </span>
      {found && isOpen && (
        <Found cancel={cancel} all={shopUrl({ search: found.q })} q={found.q} choose={choose}>
          <UnderstoodPrice price={found.price} choose={choose} />
          <Matches found={found} list={list} active={active} optionId={optionId} onChoose={() => choose()} />
        </Found>
      )}
    </>
  );
}

/** Price that was read from what is typed; the link leads to the search without it. */
function UnderstoodPrice({ price, choose }: Pick<Suggested, "price"> & Pick<FoundProps, "choose">) {
  if (!price) return null;
  const { label, without } = price;
  return (
    <p className="suggestions-price">
      Understood
      <Link
        to={shopUrl({ search: without })}
        tabIndex={-1}
        aria-label={`Remove: ${label}`}
        onClick={() => choose()}
      >
        {label} <Icon name="x" className="i s" />
      </Link>
    </p>
  );
}

interface FoundProps {
  q: string;
  /** Path of all results. */
  all: string;
  cancel: () => void;
  choose: () => void;
  children: ReactNode;
}

/** Suggestions with the link to all results, and a button that leaves the search where it takes the whole screen. */
function Found({ q, all, cancel, choose, children }: FoundProps) {
  return (
    <>
      <button type="button" className="suggestions-cancel" onClick={cancel}>
        Cancel
      </button>
      {/* The pointer leaves the focus in the field. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: prevents a side effect of the pointer, and does nothing itself */}
      <div className="suggestions" onMouseDown={(event) => event.preventDefault()}>
        {children}
        <Link className="suggestions-all" to={all} tabIndex={-1} onClick={() => choose()}>
          All results for “{q}” <kbd>Enter</kbd>
        </Link>
      </div>
    </>
  );
}

/**
 * Position of the option in use, -1 for the field itself. It stays in use while later suggestions contain it, until
 * somebody types.
 */
function useActive(input: RefObject<HTMLInputElement>, urls: string[]) {
  const [url, setUrl] = useState<string | undefined>();
  useEffect(() => {
    const field = input.current;
    const reset = () => setUrl(undefined);
    field?.addEventListener("input", reset);
    return () => field?.removeEventListener("input", reset);
  }, [input]);
  return [url === undefined ? -1 : urls.indexOf(url), (index: number) => setUrl(urls[index])] as const;
}

const urlsOf = ({ products, categories }: Suggested) => [
  ...products.map(({ id }) => `/products/${id}`),
  ...categories.map(({ category }) => categoryUrl(category)),
];

interface MatchesProps {
  found: FoundSuggestions;
  list: string;
  active: number;
  optionId: (index: number) => string;
  onChoose: () => void;
}

function Matches({ found: { q, products, categories }, list, active, optionId, onChoose }: MatchesProps) {
  const option = (index: number) => ({
    role: "option",
    id: optionId(index),
    "aria-selected": index === active,
    tabIndex: -1,
    onClick: onChoose,
  });
  return (
    <div role="listbox" id={list} aria-label="Suggestions" tabIndex={-1}>
      {products.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a group of options
        <div role="group" aria-label="Products">
          <p aria-hidden="true">Products</p>
          {products.map(({ id, name, price, isFrom, image, available, category, missing }, index) => (
            <Link key={id} className="suggestion" to={`/products/${id}`} {...option(index)}>
              <Picture image={image} alt="" sizes="44px" width={44} />
              <span>
                <Marked text={name} words={q} />
                <small>{noteOf(missing, available) || categoryName(category)}</small>
              </span>
              <b>{`${isFrom ? "from " : ""}${dollars(Math.round(price * 100))}`}</b>
            </Link>
          ))}
        </div>
      )}
      {categories.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a group of options
        <div role="group" aria-label="Categories" className="suggested-categories">
          <p aria-hidden="true">Categories</p>
          {categories.map(({ category, products: count }, index) => (
            <Link key={category} to={categoryUrl(category)} {...option(products.length + index)}>
              {categoryName(category)} <span>{count}</span>
            </Link>
          ))}
        </div>
      )}
    </div>
  );
}

const noteOf = (missing: string[] = [], available: number) =>
  [...missing.map((word) => `no ${word}`), ...(available === 0 ? ["Out of Stock"] : [])].join(", ");

/** Marks the beginnings of words that were typed. */
function Marked({ text, words }: { text: string; words: string }) {
  const typed = words.split(/\s+/).filter(Boolean).map(escapeRegExp);
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${typed.join("|")})`, "iu"));
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other key
  return <span>{parts.map((part, index) => (index % 2 ? <mark key={index}>{part}</mark> : part))}</span>;
}

type FoundSuggestions = Suggested & { q: string };

/** State of a field that was sent with Enter, not of one that is still typed in. */
const SENT = ":user-valid";
const isSent = (field: HTMLInputElement) => CSS.supports(`selector(${SENT})`) && field.matches(SENT);

/** Reads suggestions for what is typed, and drops them when the field is left, its form is sent or the reader goes back. */
function useSuggestions(input: RefObject<HTMLInputElement>, first: string) {
  const [found, setFound] = useState<FoundSuggestions | null>(null);
  const initial = useRef(first);
  useEffect(() => {
    const field = input.current;
    if (!field) return;
    let timer: ReturnType<typeof setTimeout>;
    let request = new AbortController();
    const cancel = () => {
      clearTimeout(timer);
      request.abort();
    };
    const close = () => {
      cancel();
      setFound(null);
    };
    const look = () => {
      const q = field.value.trim();
      if (q.length < MIN_LETTERS || q.length > MAX_LETTERS) return close();
      cancel();
      request = new AbortController();
      const { signal } = request;
      timer = setTimeout(() => void suggest(q, signal).then((found) => found && setFound(found)), DEBOUNCE);
    };
    const ends = new AbortController();
    const { signal } = ends;
    field.addEventListener("input", look, { signal });
    field.addEventListener("blur", close, { signal });
    field.form?.addEventListener("submit", close, { signal });
    window.addEventListener("popstate", close, { signal });
    // Typed while this code was loading. The list's search has made it the default meanwhile.
    if (field.value !== initial.current && document.activeElement === field && !isSent(field)) look();
    return () => {
      cancel();
      ends.abort();
    };
  }, [input]);
  return { found, close: () => setFound(null) };
}

/** Reads the suggestions; null without a connection and after another key. */
async function suggest(q: string, signal: AbortSignal): Promise<FoundSuggestions | null> {
  try {
    const answer = await fetch(`/api/product/suggest?q=${encodeURIComponent(q)}`, { signal });
    return answer.ok && !signal.aborted ? { q, ...((await answer.json()) as Suggested) } : null;
  } catch {
    return null;
  }
}

interface ComboboxState {
  list: string;
  isOpen: boolean;
  active: string | null;
}

function useAttributes(input: RefObject<HTMLInputElement>, { list, isOpen, active }: ComboboxState): void {
  useEffect(() => {
    const attributes = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": String(isOpen),
      "aria-controls": isOpen ? list : null,
      "aria-activedescendant": active,
    };
    for (const [name, value] of Object.entries(attributes))
      if (value === null) input.current?.removeAttribute(name);
      else input.current?.setAttribute(name, value);
    if (active) document.getElementById(active)?.scrollIntoView({ block: "nearest" });
  }, [input, list, isOpen, active]);
}

interface OptionKeys {
  urls: string[];
  active: number;
  setActive: (index: number) => void;
  close: () => void;
  choose: (url?: string) => void;
}

/** Handles the field's keys while there are options. Enter without an option in use submits the form. */
function useOptionKeys(input: RefObject<HTMLInputElement>, options: OptionKeys): void {
  const { urls, active, setActive, close, choose } = options;
  const count = urls.length;
  useEffect(() => {
    const field = input.current;
    const listener = (event: KeyboardEvent) => {
      if (isComposing(event) || count === 0) return;
      const step = { ArrowDown: 2, ArrowUp: count + 1 }[event.key];
      // From -1, the field itself, to the last option and around.
      if (step) setActive(((active + step) % (count + 1)) - 1);
      else if (event.key === "Escape") close();
      else if (event.key === "Enter" && urls[active]) choose(urls[active]);
      else return;
      event.preventDefault();
    };
    field?.addEventListener("keydown", listener);
    return () => field?.removeEventListener("keydown", listener);
  });
}
