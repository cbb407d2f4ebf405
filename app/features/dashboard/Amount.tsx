import { dollars } from "~/ui/money";

/** Stands for an amount that is not known yet (back office 2, Dashboard). */
export const UNKNOWN = -1;

/** An amount with a $ sign, or that it is on its way. `cents` -1 means loading. */
export function Amount({ cents }: { cents: number }) {
  return cents === UNKNOWN ? <span className="soon">Loading...</span> : dollars(cents);
}

/** The same for the large figures, whose cents are softer. */
export function Figure({ cents }: { cents: number }) {
  if (cents === UNKNOWN)
    return (
      <span className="stat-figure soon">
        <span className="spinner" aria-hidden="true" />
        Loading...
      </span>
    );
  const text = dollars(cents);
  const point = text.length - 3;
  return (
    <span className={text.length > LONG ? "stat-figure long" : "stat-figure"}>
      {text.slice(0, point)}
      <i>{text.slice(point)}</i>
    </span>
  );
}

/** Characters that a card holds in the large size. */
const LONG = 13;
