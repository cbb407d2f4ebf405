import { useHydrated } from "~/ui/hooks";
import type { SaleProduct } from "./draft";
import { EditButton } from "./LinesForm";
import type { LineEdit } from "./line-edits";

interface LineChoiceProps {
  index: number;
  products: ReadonlyMap<string, SaleProduct>;
  edit: (edit: LineEdit, find?: string, product?: SaleProduct) => void;
  /** Unit of the line. */
  product: SaleProduct;
  name: string;
}

/** Choice among the units of a line's product, with what is free of each. */
export function LineChoice({ index, products, edit, product, name }: LineChoiceProps) {
  const isHydrated = useHydrated();
  const units = [...products.values()].filter(({ productId }) => productId === product.productId);
  if (units.length < 2) return null;
  const choose = (unitId: string) => edit({ type: "choose", index, unitId }, "", products.get(unitId));
  if (!isHydrated) return <PlainChoice units={units} chosen={product} index={index} choose={choose} />;
  return (
    <select
      className="select"
      aria-label={`Choice of ${name}`}
      value={product.id}
      onChange={({ target }) => choose(target.value)}
    >
      {units.map((unit) => (
        <option key={unit.id} value={unit.id} disabled={unit.available === 0}>
          {freeText(unit)}
        </option>
      ))}
    </select>
  );
}

interface PlainChoiceProps {
  units: SaleProduct[];
  chosen: SaleProduct;
  index: number;
  choose: (unitId: string) => void;
}

/** Buttons that change the choice without JavaScript. */
function PlainChoice({ units, chosen, index, choose }: PlainChoiceProps) {
  return (
    <details className="line-discount">
      <summary>{`Another choice than ${chosen.choice}`}</summary>
      {units.map(
        (unit) =>
          unit.id !== chosen.id && (
            <EditButton
              key={unit.id}
              edit={{ type: "choose", index, unitId: unit.id }}
              onEdit={() => choose(unit.id)}
              className="btn small"
            >
              {freeText(unit)}
            </EditButton>
          ),
      )}
    </details>
  );
}

const freeText = ({ choice, available }: SaleProduct) => `${choice}, ${available} free`;
