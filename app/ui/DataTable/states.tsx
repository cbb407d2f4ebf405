import { Link, useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "../Icon";
import type { IconName } from "../icons";
import type { Column } from "./columns";
import { isFiltered, type ListParams, listUrl, withoutDialog } from "./list-params";

/** Rows that are on their way where none stood. */
export function SkeletonRows<Row>({ columns, count }: { columns: Column<Row>[]; count: number }) {
  return (
    <tbody aria-hidden="true" className="bones">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bones have no names
        <tr key={row}>
          {columns.map(({ id, className, isNumber }) => (
            <td key={id} className={[isNumber ? "num" : "", className ?? ""].join(" ").trim() || undefined} />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface NoRowsProps {
  columns: number;
  params: ListParams;
  icon: IconName;
  /** What to do next, where nothing narrows the list. */
  children: ReactNode;
}

/** A list without a row: because nothing matches, or because there is nothing yet. */
export function NoRows({ columns, params, icon, children }: NoRowsProps) {
  return (
    <tbody className="no-rows">
      <tr>
        <td colSpan={columns}>
          <div className="empty">
            <span className="says">
              <Icon name={icon} />
            </span>
            <h2>No records found</h2>
            {isFiltered(params) ? <NothingMatches params={params} /> : children}
          </div>
        </td>
      </tr>
    </tbody>
  );
}

function NothingMatches({ params }: { params: ListParams }) {
  return (
    <>
      <p>Nothing matches what is searched and filtered for.</p>
      <div className="bar">
        <Link className="btn" to={listUrl(params, { q: "", filters: {} })} preventScrollReset>
          Clear Filters
        </Link>
      </div>
    </>
  );
}

/** A list that could not be read: what happened, and a way on. */
export function FailedRows({ message, params }: { message: string; params: ListParams }) {
  return (
    <div className="failed">
      <h3>
        <Icon name="circle-alert" className="i s" />
        {message}
      </h3>
      <p>Nothing is lost. The list can be asked for again.</p>
      <div className="bar">
        <Link className="btn" to={listUrl(params)} preventScrollReset reloadDocument>
          <Icon name="rotate-cw" className="i s" />
          Try again
        </Link>
      </div>
    </div>
  );
}

/** Milliseconds that a page may take before its place is kept by skeletons: a quicker one would only flicker. */
const PATIENCE = 120;

/**
 * Whether other rows are on their way: a search, a filter, another order or page. A dialog over the same rows is none.
 *
 * @returns `isPending` at once, `isSlow` when it takes a moment
 */
export function usePending(path: string): { isPending: boolean; isSlow: boolean } {
  const here = useLocation();
  const { state, location } = useNavigation();
  const isPending =
    state === "loading" && location.pathname === path && rowsAt(location.search) !== rowsAt(here.search);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isPending]);
  return { isPending, isSlow: isPending && isSlow };
}

function rowsAt(search: string): string {
  const { searchParams } = new URL(withoutDialog(`/${search}`), "http://local");
  searchParams.sort();
  return searchParams.toString();
}
