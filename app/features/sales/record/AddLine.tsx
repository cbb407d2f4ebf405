import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { dollars } from "~/domain/money";
import { HiddenTag } from "~/features/catalogue/HiddenTag";
import type { CodeHit } from "~/features/codes/lookup";
import { ScanButton } from "~/features/codes/ScanButton";
import { isComposing } from "~/ui/composition";
import { useEarlyInput } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Picture } from "~/ui/Picture";
import { useShortcuts } from "~/ui/shortcuts";
import { type SaleProduct, unitOfCode } from "./draft";
import { EditButton } from "./LinesForm";
import type { LineEdit } from "./line-edits";
import { useLookUp, useSearch } from "./line-search";
import type { LookUps } from "./useLinesForm";

interface AddLineProps {
  /** Ids of products that the search found (without JavaScript). */
  foundIds: string[] | null;
  /** Text of that search. */
  query: string;
  lookUps: LookUps;
  products: ReadonlyMap<string, SaleProduct>;
  /** Lines that the form has. */
  lines: readonly unknown[];
  edit: (edit: LineEdit, query?: string, product?: SaleProduct) => void;
  /** Leaves out custom lines. */
  isProductOnly?: boolean;
}

/** Field that adds products by name, and custom lines. */
export function AddLine(props: AddLineProps) {
  const { lookUps, isProductOnly = false } = props;
  const { add, addCustom, unknown, ...field } = useAddLine(props);
  const { search, activeIndex, choices } = field;
  const isOpen = search.isTyped && search.text.trim() !== "";
  const takeBack = (text: string) => {
    lookUps.take(text, search.text);
    field.change(text);
    field.input.current?.focus();
  };
  return (
    <div className="sale-add">
      <div className="sale-search">
        <SearchField
          {...field}
          label={isProductOnly ? "Add a product" : "Add a product or your own line"}
          isOpen={isOpen}
        />
        <ScanButton {...unknown} said="Added" />
      </div>
      <LookUpStatus {...lookUps} takeBack={takeBack} />
      {isOpen ? (
        <ProductList
          text={search.text}
          products={choices}
          isEmpty={search.isAnswered && choices.length === 0}
          activeIndex={activeIndex}
          add={add}
          addCustom={isProductOnly ? null : addCustom}
        />
      ) : (
        <PlainProductList {...props} />
      )}
    </div>
  );
}

type SearchFieldProps = Omit<ReturnType<typeof useAddLine>, "add" | "addCustom" | "unknown"> & {
  label: string;
  isOpen: boolean;
};

function SearchField(props: SearchFieldProps) {
  const { label, isOpen, search, input, choices, activeIndex, change, onKeyDown } = props;
  return (
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
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => isComposing(event.nativeEvent) || onKeyDown(event)}
        {...combobox(isOpen, choices[activeIndex] ? activeIndex : null)}
      />
      <kbd className="needs-script">/</kbd>
    </label>
  );
}

interface LookUpStatusProps extends Pick<LookUps, "pending" | "unclear"> {
  takeBack: (text: string) => void;
}

/** Reports a search whose answer will be added, and offers the texts that mean no single product. */
function LookUpStatus({ pending: [next], unclear, takeBack }: LookUpStatusProps) {
  return (
    <>
      <div className="hint" role="status">
        {next && <p>{`Searching for “${next}”…`}</p>}
        {unclear.length > 0 && (
          <p>
            Which one?{" "}
            {unclear.map((text) => (
              <button key={text} type="button" className="link" onClick={() => takeBack(text)}>
                {text}
              </button>
            ))}
          </p>
        )}
      </div>
      {unclear.length > 0 && <input type="hidden" name="unclear" value={unclear.join("\n")} />}
    </>
  );
}

/** Search, the choice under the cursor and what the keys do. */
function useAddLine({ products, query, lookUps, lines, edit, isProductOnly }: AddLineProps) {
  const search = useSearch(products, query);
  const input = useRef<HTMLInputElement>(null);
  const [movedTo, setMovedTo] = useState(NOT_MOVED);
  const choices = search.text.trim() ? search.products : [];
  // Of several hits none is chosen until the arrow keys choose one.
  const activeIndex = movedTo === NOT_MOVED && choices.length === 1 ? 0 : movedTo;
  const type = (text: string) => {
    search.set(text);
    setMovedTo(NOT_MOVED);
  };
  const { giveBack, change } = useGivenBack(input, type, lookUps.keep);
  const close = () => {
    change("");
    input.current?.focus();
  };
  const put = (product: SaleProduct) => edit({ type: "add", unitId: product.id }, "", product);
  // What was asked about is answered by the choice.
  const add = (product: SaleProduct) => [lookUps.take(search.text.trim(), ""), put(product), close()];
  const addCustom = () => [edit({ type: "custom" }, search.text), close()];
  const { ask, unknown } = useUnknownCode(put);
  const look = useLookUp(search, lookUps, put, { giveBack, ask });
  useEarlyInput(input, search.text, change);
  useFirstFocus(input, lines.length === 0);
  useShortcuts({ "/": () => input.current?.focus() });
  const choose = () => {
    const chosen = search.isAnswered ? choices[movedTo] : undefined;
    if (chosen) return add(chosen);
    look(search.text.trim());
    close();
  };
  const move = (step: number) =>
    setMovedTo(Math.max(Math.min(activeIndex + step, choices.length - 1), Math.min(0, choices.length - 1)));
  const onKeyDown = (event: KeyboardEvent) =>
    handleKey(event, { text: search.text, move, close, choose, addCustom: isProductOnly ? null : addCustom });
  return { search, input, activeIndex, change, choices, add, addCustom, onKeyDown, unknown };
}

/** Keeps a code that no product has, about which a dialog asks. */
function useUnknownCode(put: (product: SaleProduct) => void) {
  const [code, ask] = useState<string | null>(null);
  const onHit = (unit: CodeHit) => put(unitOfCode(unit));
  return { ask, unknown: { code, onHit, onClose: () => ask(null) } };
}

interface Keys {
  text: string;
  move: (step: number) => void;
  close: () => void;
  /** Takes the chosen product, else the only one that the text means. */
  choose: () => void;
  /** null without custom lines. */
  addCustom: (() => void) | null;
}

function handleKey(event: KeyboardEvent, { text, move, close, choose, addCustom }: Keys): void {
  const step = STEPS[event.key] ?? 0;
  const isEnter = event.key === "Enter" && !event.ctrlKey && !event.metaKey && text.trim() !== "";
  if (step) move(step);
  else if (event.key === "Escape") close();
  else if (isEnter && !event.altKey) event.repeat || choose();
  else if (isEnter && addCustom) addCustom();
  else return;
  event.preventDefault();
}

/** Puts a text that means no single product back into the field, if it is free; typing over it keeps it beside the field. */
function useGivenBack(
  input: RefObject<HTMLInputElement>,
  type: (text: string) => void,
  keep: (text: string) => void,
) {
  const given = useRef("");
  const giveBack = (text: string) => {
    const field = input.current;
    if (field?.value !== "") return keep(text);
    given.current = text;
    flushSync(() => type(text));
    // What is typed next is another product.
    if (document.activeElement === field) field.select();
  };
  const change = (text: string) => {
    const isReplaced = text !== "" && !text.startsWith(given.current.slice(0, -1));
    if (isReplaced) keep(given.current);
    given.current = "";
    type(text);
  };
  return { giveBack, change };
}

/** Focuses the search of a form without lines, unless something else has the focus. */
function useFirstFocus(input: RefObject<HTMLInputElement>, isEmpty: boolean): void {
  const isFirst = useRef(isEmpty);
  useEffect(() => {
    if (isFirst.current && document.activeElement === document.body) input.current?.focus();
  }, [input]);
}

/** Place in the list before an arrow key has moved there. */
const NOT_MOVED = -1;
const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
const LIST = "sale-found";

/** Builds the attributes of the field as the list of choices stands. @param activeIndex null without choices */
const combobox = (isOpen: boolean, activeIndex: number | null) =>
  ({
    role: "combobox",
    "aria-expanded": isOpen,
    "aria-controls": LIST,
    "aria-autocomplete": "list",
    "aria-activedescendant": isOpen && activeIndex !== null ? `${LIST}-${activeIndex}` : undefined,
  }) as const;

interface ProductListProps {
  text: string;
  products: SaleProduct[];
  /** True when the search for the text has found none. */
  isEmpty: boolean;
  activeIndex: number;
  add: (product: SaleProduct) => void;
  /** null without custom lines. */
  addCustom: (() => void) | null;
}

/** Found products, and last a custom line. */
function ProductList({ text, products, isEmpty, activeIndex, add, addCustom }: ProductListProps) {
  const option = (i: number, choose: () => void) => ({
    id: i < 0 ? `${LIST}-own` : `${LIST}-${i}`,
    role: "option",
    tabIndex: -1,
    "aria-selected": i >= 0 && i === activeIndex,
    // The field keeps the focus.
    onMouseDown: (event: { preventDefault(): void }) => event.preventDefault(),
    onClick: choose,
  });
  return (
    <div className="sale-found" id={LIST} role="listbox" aria-label="Products">
      {products.map((product, i) => (
        <div key={product.id} {...option(i, () => add(product))}>
          <ProductRow product={product} />
        </div>
      ))}
      {addCustom ? (
        <div className="sale-own" {...option(-1, addCustom)}>
          <Icon name="pencil" className="i s" />
          <span className="grow truncate">
            {isEmpty && "No products match. "}
            {`Own line: “${text.trim()}”`}
          </span>
          <span className="needs-script">
            <kbd>Alt</kbd> <kbd>Enter</kbd>
          </span>
        </div>
      ) : (
        isEmpty && <p className="sale-own">No products match.</p>
      )}
    </div>
  );
}

function ProductRow({ product: { name, image, available, priceCents, isHidden } }: { product: SaleProduct }) {
  return (
    <>
      <Picture image={image} alt="" sizes="28px" width={28} />
      <span className="grow truncate">{name}</span>
      {isHidden && <HiddenTag />}
      <span className={`stock-level${available === 0 ? " out" : ""}`}>{`${available} free`}</span>
      <span className="num">{dollars(priceCents)}</span>
    </>
  );
}

/** Buttons that search and add without JavaScript. */
function PlainProductList({
  foundIds,
  query,
  products,
  isProductOnly,
}: Omit<AddLineProps, "edit" | "lines" | "lookUps">) {
  const ignore = () => undefined;
  return (
    <div className="sale-plain without-script">
      <EditButton edit={{ type: "find" }} onEdit={ignore} className="btn">
        Search products
      </EditButton>
      {!isProductOnly && (
        <EditButton edit={{ type: "custom" }} onEdit={ignore} className="btn">
          Add own line
        </EditButton>
      )}
      {foundIds?.length === 0 && <p>{`No products match “${query}”.`}</p>}
      {foundIds?.map((id) => {
        const product = products.get(id);
        return (
          product && (
            <EditButton key={id} edit={{ type: "add", unitId: id }} onEdit={ignore} className="btn">
              {`Add ${product.name}${product.isHidden ? " (hidden)" : ""}, ${dollars(product.priceCents)}, ${product.available} free`}
            </EditButton>
          )
        );
      })}
    </div>
  );
}
