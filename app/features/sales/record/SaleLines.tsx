import { type ReactNode, useState } from "react";
import { CURRENCY_SIGN } from "~/domain/currency";
import { BUSINESSES, type BusinessNames, businessName } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { stockLevel } from "~/domain/stock-levels";
import { Icon } from "~/ui/Icon";
import { Picture } from "~/ui/Picture";
import { REPLACED_FIELD } from "~/ui/replaced-field";
import { useLowStock } from "~/ui/shop-numbers";
import { MAX_DISCOUNT_REASON } from "../document";
import { LineHeads } from "../LineHeads";
import {
  type DraftLine,
  lineCents,
  linePicture,
  NO_AMOUNT,
  pieces,
  priceCents,
  priceOfPieces,
  priceProblem,
  type SaleProduct,
  sellable,
} from "./draft";
import { LineChoice } from "./LineChoice";
import { EditButton } from "./LinesForm";
import type { LineEdit } from "./line-edits";
import type { KeyedLine, LineProblem } from "./useLinesForm";

/** Form that the lines belong to: a hold has no prices, a quote no products. */
type LinesOf = "sale" | "hold" | "quote";

interface SaleLinesProps {
  of?: LinesOf;
  /** All lines are of one business, which the form does not ask for. */
  isOneBusiness?: boolean;
  lines: KeyedLine[];
  products: ReadonlyMap<string, SaleProduct>;
  change: (index: number, fields: Partial<DraftLine>) => void;
  edit: (edit: LineEdit, find?: string, product?: SaleProduct) => void;
  /** Shows the error of the typed price. */
  checkPrice: (index: number) => void;
  /** Error of a form without lines. */
  problem: string | undefined;
  /** Lines that a correction sells anew; the others stay as they are. */
  changed?: boolean[];
  businessNames?: BusinessNames;
}

const asksBusiness = ({ of = "sale", isOneBusiness = false }: SaleLinesProps) =>
  of === "sale" && !isOneBusiness;

const EMPTY: Record<LinesOf, string> = {
  sale: "Add what you sell below.",
  hold: "Add what you set aside below.",
  quote: "Add what you offer below.",
};

/** Lines of a sale, hold or quote, editable in place. */
export function SaleLines(props: SaleLinesProps) {
  const { of = "sale", lines, problem } = props;
  if (lines.length === 0) return <NoLines of={of} problem={problem} />;
  return (
    <table className={`sale-lines sale-lines-${of}`}>
      <LineHeads
        heads={[
          "Item",
          asksBusiness(props) && "Business",
          ["Qty", "num"],
          of !== "hold" && ["Price", "num"],
          of !== "hold" && ["Amount", "num"],
        ]}
        acts="Remove"
      />
      <tbody>
        {lines.map((line, i) => (
          <Line key={line.key} {...props} of={of} line={line} index={i} />
        ))}
      </tbody>
    </table>
  );
}

function NoLines({ of, problem }: { of: LinesOf; problem: string | undefined }) {
  if (!problem) return <p className="sale-empty">{EMPTY[of]}</p>;
  return (
    <p className="sale-empty sale-problem" data-problem="">
      <Icon name="circle-alert" className="i s" /> {`${problem}. ${EMPTY[of]}`}
    </p>
  );
}

interface LineProps extends SaleLinesProps {
  of: LinesOf;
  line: KeyedLine;
  index: number;
}

function Line(props: LineProps) {
  const { of, line, index, products, edit } = props;
  const product = products.get(line.unitId);
  const name = line.description || product?.name || `line ${index + 1}`;
  const field = fieldProps(props, name);
  return (
    <tr className={props.changed?.[index] ? "changed-line" : undefined}>
      <td className="sale-item">
        <input type="hidden" name={`lines[${index}].unitId`} value={line.unitId} />
        <input type="hidden" name={`lines[${index}].category`} value={line.category} />
        {line.from && <input type="hidden" name={`lines[${index}].from`} value={line.from} />}
        <Item {...props} product={product} name={name} />
      </td>
      {asksBusiness(props) && <BusinessCell {...props} name={name} />}
      <td className="sale-quantity">
        <Stepper {...props} name={name}>
          <input {...field("quantity", "Quantity")} inputMode="numeric" maxLength={7} {...REPLACED_FIELD} />
        </Stepper>
        <FieldProblem {...props} field="quantity" />
      </td>
      {of !== "hold" && <PriceCells {...props} product={product} field={field} />}
      <td className="sale-remove">
        <EditButton
          edit={{ type: "remove", index }}
          onEdit={edit}
          className="tool-button"
          label={`Remove ${name}`}
        >
          <Icon name="x" className="i s" />
        </EditButton>
      </td>
    </tr>
  );
}

/** Field of the pieces; of a sale with buttons for one less and one more. */
function Stepper({
  of,
  line,
  index,
  change,
  name,
  children,
}: LineProps & { name: string; children: ReactNode }) {
  if (of !== "sale") return children;
  const count = pieces(line) ?? 0;
  const step = (by: 1 | -1, label: string) => (
    <button
      type="button"
      aria-label={`${label} of ${name}`}
      disabled={count + by < 1}
      onClick={() => change(index, { quantity: String(count + by) })}
    >
      <Icon name={by < 0 ? "minus" : "plus"} className="i s" />
    </button>
  );
  return (
    <span className="stepper">
      {step(-1, "One less")}
      {children}
      {step(1, "One more")}
    </span>
  );
}

interface PriceCellsProps extends LineProps {
  product: SaleProduct | undefined;
  field: ReturnType<typeof fieldProps>;
}

function PriceCells(props: PriceCellsProps) {
  const { line, index, product, field, checkPrice } = props;
  return (
    <>
      <td className="sale-price">
        <TagPrice line={line} product={product} />
        <span className="input-prefix">
          <span aria-hidden="true">{CURRENCY_SIGN}</span>
          <input
            {...field("price", "Price")}
            inputMode="decimal"
            maxLength={16}
            {...REPLACED_FIELD}
            onBlur={() => checkPrice(index)}
          />
        </span>
        <FieldProblem {...props} field="price" />
      </td>
      <td className="num sale-line-amount">
        {priceProblem(line) ? NO_AMOUNT : dollars(lineCents(line))}
        {lineCents(line) < priceOfPieces(line) && <s className="soft">{dollars(priceOfPieces(line))}</s>}
      </td>
    </>
  );
}

function BusinessCell({ line, index, change, businessNames, name }: LineProps & { name: string }) {
  return (
    <td className="sale-business">
      <select
        className="select"
        aria-label={`Business of ${name}`}
        name={`lines[${index}].businessType`}
        value={line.businessType}
        onChange={({ target }) => change(index, { businessType: target.value })}
      >
        {BUSINESSES.map((business) => (
          <option key={business} value={business}>
            {businessName(business, businessNames)}
          </option>
        ))}
      </select>
    </td>
  );
}

const problemId = (index: number, field: string) => `line-${index}-${field}-error`;

/** Errors of one field of a line, below it; those of the stock have a place of their own. */
function FieldProblem({ line, index, field }: LineProps & Pick<LineProblem, "field">) {
  const messages = line.problems.filter((problem) => problem.field === field && !problem.isStock);
  if (messages.length === 0) return null;
  return (
    <span className="sale-problem" id={problemId(index, field)}>
      {messages.map(({ message }) => message).join("; ")}
    </span>
  );
}

/** Creates the attributes of a line's inputs. */
function fieldProps({ line, index, change }: LineProps, name: string) {
  return (field: LineProblem["field"], label: string) => ({
    className: "input",
    type: "text",
    autoComplete: "off",
    name: `lines[${index}].${field}`,
    "aria-label": `${label} of ${name}`,
    value: line[field],
    onChange: ({ target }: { target: HTMLInputElement }) => change(index, { [field]: target.value }),
    ...(line.problems.some((problem) => problem.field === field) && {
      "aria-invalid": true,
      "aria-describedby": `${problemId(index, field)} ${problemId(index, "stock")}`,
    }),
  });
}

/** Name of what is sold, and below it the stock or the error. */
function Item(props: LineProps & { product: SaleProduct | undefined; name: string }) {
  const { of, line, index, product, name } = props;
  const field = fieldProps(props, name);
  // The words of a quote are free.
  const isFixed = line.unitId !== "" && of !== "quote";
  return (
    <span className="sale-product">
      {line.unitId ? (
        <Picture image={product ? linePicture(line, product) : null} alt="" sizes="36px" width={36} />
      ) : (
        <Icon name="pencil" className="i s" />
      )}
      {isFixed && <input type="hidden" name={`lines[${index}].description`} value={line.description} />}
      <span className="grow">
        {isFixed ? (
          <>
            <b>{name}</b>
            {of === "sale" && product && <LineChoice {...props} product={product} />}
          </>
        ) : (
          <input {...field("description", "Description")} placeholder="Description" maxLength={500} />
        )}
        <FieldProblem {...props} field="description" />
        {props.changed && (
          <small className={props.changed[index] ? "changed-text" : "soft"}>
            {props.changed[index] ? "Changed" : "Stays as it is"}
          </small>
        )}
        {of === "sale" && <DiscountFields {...props} field={field} />}
        {of === "quote" && <QuoteFields {...props} field={field} />}
        {line.problems.some(({ isStock }) => isStock) ? (
          <StockProblem {...props} />
        ) : (
          product && of !== "quote" && <Stock product={product} />
        )}
      </span>
    </span>
  );
}

/** Fields that only a line of a quote has. */
function QuoteFields({ field, ...props }: LineProps & Pick<PriceCellsProps, "field">) {
  return (
    <span className="sale-quote-fields">
      <input {...field("material", "Material")} placeholder="Material" maxLength={100} />
      <input {...field("size", "Size")} placeholder="Size" maxLength={100} />
      <FieldProblem {...props} field="material" />
      <FieldProblem {...props} field="size" />
    </span>
  );
}

/** Discount of a line with its reason, folded while there is none. */
function DiscountFields(props: LineProps & Pick<PriceCellsProps, "field">) {
  const { line, index, field, checkPrice } = props;
  const isFaulty = line.problems.some(
    (problem) => problem.field === "discount" || problem.field === "reason",
  );
  const isUsed = isFaulty || line.discount.trim() !== "";
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <details
      className="line-discount"
      open={isOpen || isUsed}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Discount</summary>
      <span className="line-discount-fields">
        <input
          {...field("discount", "Discount")}
          placeholder="10% or 5.00"
          maxLength={20}
          onBlur={() => checkPrice(index)}
        />
        <input
          {...field("reason", "Reason of the discount")}
          placeholder="Reason"
          maxLength={MAX_DISCOUNT_REASON}
        />
      </span>
      <FieldProblem {...props} field="discount" />
      <FieldProblem {...props} field="reason" />
    </details>
  );
}

/** Pieces of a product that may be sold. */
function Stock({ product: { available, heldPieces, lowStock } }: { product: SaleProduct }) {
  const free =
    available === 0 && heldPieces === 0
      ? "Sold out"
      : heldPieces > 0
        ? `${available} more free`
        : `${available} free`;
  const level = stockLevel(available + heldPieces, useLowStock()(lowStock));
  return (
    <small className={level === "enough" ? "stock-level" : `stock-level ${level}`}>
      {heldPieces > 0 ? `${heldPieces} set aside here, ${free}` : free}
    </small>
  );
}

/** Shortage or deletion of a line's product, with the act that solves it. */
function StockProblem({
  of,
  line,
  index,
  lines,
  product,
  edit,
}: LineProps & { product: SaleProduct | undefined }) {
  const messages = line.problems.filter(({ isStock }) => isStock);
  const message = messages.map((problem) => problem.message).join("; ");
  const left = product ? sellable(lines, index, product) : 0;
  return (
    <span className="sale-problem" id={problemId(index, "stock")}>
      <Icon name="circle-alert" className="i s" />
      {product ? message.replace(`${product.name}: `, "") : message}
      {left > 0 && (
        <EditButton edit={{ type: "quantity", index, quantity: left }} onEdit={edit} className="btn">
          {of === "hold" ? `Set aside ${left}` : `Sell ${left}`}
        </EditButton>
      )}
      {of === "sale" && line.unitId && !product && (
        <EditButton edit={{ type: "detach", index }} onEdit={edit} className="btn">
          Sell as own line
        </EditButton>
      )}
      {left === 0 && (
        <EditButton edit={{ type: "remove", index }} onEdit={edit} className="btn">
          Leave out
        </EditButton>
      )}
    </span>
  );
}

/** Price on the tag, where another one was agreed. */
function TagPrice({ line, product }: { line: DraftLine; product: SaleProduct | undefined }) {
  if (!product || priceCents(line) === product.priceCents) return null;
  return <small className="soft">{`tag ${dollars(product.priceCents)}`}</small>;
}
