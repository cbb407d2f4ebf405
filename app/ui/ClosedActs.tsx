import { firstOpenDay } from "~/domain/closed-day";
import { formatDay } from "~/domain/day-text";
import { Link } from "./navigation";
import { typeInto } from "./type-into";

interface ClosedActsProps {
  /** Of the date's field. */
  id: string;
  error?: string | undefined;
  /** Day of the stored entry, YYYY-MM-DD, which itself may not leave a closed month. */
  stored?: string | undefined;
}

/** Acts that solve a date in a closed month: another day, or an admin who reopens it. */
export function ClosedActs({ id, error, stored }: ClosedActsProps) {
  const day = firstOpenDay(error);
  if (!day) return null;
  const reopening = (
    <Link className="link" to="/admin/bookkeeping">
      let an admin reopen it
    </Link>
  );
  if (stored && stored < day)
    return <p className="hint col-6 closed-acts">To change it, {reopening} first.</p>;
  return (
    <p className="hint col-6 closed-acts">
      <button type="button" className="btn needs-script" onClick={() => typeInto(id, day)}>
        Date it {formatDay(day)}
      </button>
      <span>Date it later, or {reopening}.</span>
    </p>
  );
}
