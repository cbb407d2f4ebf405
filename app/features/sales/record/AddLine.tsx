import { useFetcher } from "@remix-run/react";
import { type KeyboardEvent, useRef, useState } from "react";
import { dollars } from "~/domain/money";
import { isComposing } from "~/ui/composition";
import { useEarlyInput } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Picture } from "~/ui/Picture";
import { useShortcuts } from "~/ui/shortcuts";
import { type LineEdit, MAX_FOUND, type SaleProduct } from "./draft";
import type { ListedProduct } from "./forms.server";
import { EditButton } from "./LinesForm";

interface AddLineProps {
  /** Ids of products that the search found (without JavaScript). */
  foundIds: string[] | null;
  /** Text of that search. */
  query: string;
  products: ReadonlyMap<string, SaleProduct>;
  edit: (edit: LineEdit, query?: string, product?: SaleProduct) => void;
  /** Leaves out custom lines. */
  isProductOnly?: boolean;
}

const searchUrl = (search: string) =>
  `/api/product/all?${new URLSearchParams({ raw: "1", limit: String(MAX_FOUND), search })}`;

const saleProduct = ({
  id,
  name,
  category,
  price,
  stock,
  available = stock,
  imageUrls,
}: ListedProduct): SaleProduct => ({
  id,
  name,
  category,
  available,
  priceCents: Math.round(price * 100),
  image: imageUrls[0] ?? null,
  heldPieces: 0,
});

/** Field that adds products by name, and custom lines. */
export function AddLine(props: AddLineProps) {
  const { foundIds, query, products, isProductOnly = false } = props;
  const { search, input, activeIndex, type, choices, add, addCustom, onKeyDown } = useAddLine(props);
  const isOpen = search.isTyped && search.text.trim() !== "";
  const label = isProductOnly ? "Add a product" : "Add a product or your own line";
  return (
    <div className="sale-add">
      <label>
        <span className="visually-hidden">{label}</span>
        <Icon name="plus" className="i s" />
        <input
          ref={input}
          className="input"
          name="find"
          placeholder={label}
          autoComplete="off"
          maxLength={100}
          value={search.text}
          onChange={({ target }) => type(target.value)}
          onKeyDown={(event) => isComposing(event.nativeEvent) || onKeyDown(event)}
          {...combobox(isOpen, activeIndex)}
        />
        <kbd className="needs-script">/</kbd>
      </label>
      {isOpen ? (
        <Choices
          text={search.text}
          choices={choices}
          activeIndex={activeIndex}
          add={add}
          addCustom={isProductOnly ? null : addCustom}
        />
      ) : (
        <PlainChoices foundIds={foundIds} query={query} products={products} isProductOnly={isProductOnly} />
      )}
    </div>
  );
}

/** Search, the choice under the cursor and what the keys do. */
function useAddLine({ query, products, edit, isProductOnly }: AddLineProps) {
  const search = useSearch(products, query);
  const input = useRef<HTMLInputElement>(null);
  const [activeIndex, setActiveIndex] = useState(0);
  const choices = search.text.trim() ? search.products : [];
  const type = (text: string) => {
    search.set(text);
    setActiveIndex(0);
  };
  const close = () => {
    type("");
    input.current?.focus();
  };
  const add = (product: SaleProduct) => {
    edit({ type: "add", productId: product.id }, "", product);
    close();
  };
  const addCustom = () => {
    edit({ type: "own" }, search.text);
    close();
  };
  useEarlyInput(input, search.text, type);
  useShortcuts({ "/": () => input.current?.focus() });
  const choose = (isCustom: boolean) => {
    const product = isCustom ? undefined : choices[activeIndex];
    if (product) add(product);
    else if (!isProductOnly) addCustom();
  };
  const last = isProductOnly ? choices.length - 1 : choices.length;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key] ?? 0;
    const isEnter = event.key === "Enter" && !event.ctrlKey && !event.metaKey && search.text.trim() !== "";
    if (step) setActiveIndex(Math.max(Math.min(activeIndex + step, last), 0));
    else if (event.key === "Escape") close();
    else if (isEnter) choose(event.altKey);
    else return;
    event.preventDefault();
  };
  return { search, input, activeIndex, type, choices, add, addCustom, onKeyDown };
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
const LIST = "sale-found";

const combobox = (isOpen: boolean, activeIndex: number) =>
  ({
    role: "combobox",
    "aria-expanded": isOpen,
    "aria-controls": LIST,
    "aria-autocomplete": "list",
    "aria-activedescendant": isOpen ? `${LIST}-${activeIndex}` : undefined,
  }) as const;

/** Searches while the seller types; the fetcher drops answers that a newer search has overtaken. */
function useSearch(known: ReadonlyMap<string, SaleProduct>, initial: string) {
  const { data, load } = useFetcher<ListedProduct[] | { message: string }>();
  const [text, setText] = useState(initial);
  const [isTyped, setTyped] = useState(false);
  const set = (next: string) => {
    setText(next);
    setTyped(true);
    if (next.trim()) load(searchUrl(next.trim()));
  };
  const found = Array.isArray(data) ? data.map(saleProduct) : [];
  return {
    text,
    isTyped,
    set,
    products: found.map((product) => ({ ...product, heldPieces: known.get(product.id)?.heldPieces ?? 0 })),
  };
}

interface ChoicesProps {
  text: string;
  choices: SaleProduct[];
  activeIndex: number;
  add: (product: SaleProduct) => void;
  /** null without custom lines. */
  addCustom: (() => void) | null;
}

/** Found products, of which the first is chosen, and last a custom line. */
function Choices({ text, choices, activeIndex, add, addCustom }: ChoicesProps) {
  const option = (i: number, choose: () => void) => ({
    id: `${LIST}-${i}`,
    role: "option",
    tabIndex: -1,
    "aria-selected": i === activeIndex,
    // The field keeps the focus.
    onMouseDown: (event: { preventDefault(): void }) => event.preventDefault(),
    onClick: choose,
  });
  return (
    <div className="sale-found" id={LIST} role="listbox" aria-label="Products">
      {choices.map((product, i) => (
        <div key={product.id} {...option(i, () => add(product))}>
          <Found product={product} />
        </div>
      ))}
      {addCustom ? (
        <div className="sale-own" {...option(choices.length, addCustom)}>
          <Icon name="pencil" className="i s" />
          <span className="grow truncate">{`Own line: “${text.trim()}”`}</span>
          <span>
            <kbd>Alt</kbd> <kbd>Enter</kbd>
          </span>
        </div>
      ) : (
        choices.length === 0 && <p className="sale-own">No products match.</p>
      )}
    </div>
  );
}

function Found({ product: { name, image, available, priceCents } }: { product: SaleProduct }) {
  return (
    <>
      <Picture image={image} alt="" sizes="28px" width={28} />
      <span className="grow truncate">{name}</span>
      <span className={`stock-level${available === 0 ? " out" : ""}`}>{`${available} free`}</span>
      <span className="num">{dollars(priceCents)}</span>
    </>
  );
}

/** Buttons that search and add without JavaScript. */
function PlainChoices({ foundIds, query, products, isProductOnly }: Omit<AddLineProps, "edit">) {
  const ignore = () => undefined;
  return (
    <div className="sale-plain without-script">
      <EditButton edit={{ type: "find" }} onEdit={ignore} className="btn">
        Search products
      </EditButton>
      {!isProductOnly && (
        <EditButton edit={{ type: "own" }} onEdit={ignore} className="btn">
          Add own line
        </EditButton>
      )}
      {foundIds?.length === 0 && <p>{`No products match “${query}”.`}</p>}
      {foundIds?.map((id) => {
        const product = products.get(id);
        return (
          product && (
            <EditButton key={id} edit={{ type: "add", productId: id }} onEdit={ignore} className="btn">
              {`Add ${product.name}, ${dollars(product.priceCents)}, ${product.available} free`}
            </EditButton>
          )
        );
      })}
    </div>
  );
}
