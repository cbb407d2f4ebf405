import { decimalDollars, dollars } from "~/domain/money";

interface PriceTagProps {
  cents: number;
  big?: boolean;
  /** White tag for products out of stock. */
  out?: boolean;
  /** Says that it is the lowest of several prices. */
  isFrom?: boolean | undefined;
}

/** Price tag: `$1,064.00` with raised cents. */
export function PriceTag({ cents, big = false, out = false, isFrom }: PriceTagProps) {
  const text = dollars(cents);
  const point = text.length - 3;
  return (
    <data
      className={`price-tag${big ? " price-tag-large" : ""}${out ? " price-tag-sold-out" : ""}`}
      value={decimalDollars(cents)}
    >
      {isFrom && "from "}
      {text.slice(0, point)}
      <span className="price-tag-cents">{text.slice(point)}</span>
    </data>
  );
}
