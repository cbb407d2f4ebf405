import { dollars } from "./money";

interface PriceTagProps {
  cents: number;
  big?: boolean;
  /** The white tag of what can't be had. */
  out?: boolean;
}

/** The market tag: reads `$1,064.00`, the cents raised. */
export function PriceTag({ cents, big = false, out = false }: PriceTagProps) {
  const text = dollars(cents);
  const point = text.length - 3;
  return (
    <data
      className={`price-tag${big ? " price-tag-large" : ""}${out ? " price-tag-sold-out" : ""}`}
      value={(cents / 100).toFixed(2)}
    >
      {text.slice(0, point)}
      <span className="price-tag-cents">{text.slice(point)}</span>
    </data>
  );
}
