import { Link, useLocation, useNavigation } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "../Icon";
import type { IconName } from "../icons";
import type { Column } from "./columns";
import { isFiltered, type ListParams, listUrl, withoutDialog } from "./list-params";

/** Skeleton rows of a list without rows that is loading. */
export function SkeletonRows<Row>({ columns, count }: { columns: Column<Row>[]; count: number }) {
  return (
    <tbody aria-hidden="true" className="skeleton-rows">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no ids
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
  /** Message of an unfiltered empty list. */
  children: ReactNode;
}

/** Message in place of rows: no matches, or an empty list. */
export function NoRows({ columns, params, icon, children }: NoRowsProps) {
  return (
    <tbody className="no-rows">
      <tr>
        <td colSpan={columns}>
          <div className="empty-state">
            <span className="empty-state-icon">
              <Icon name={icon} />
            </span>
            <h2>No records found</h2>
            {isFiltered(params) ? <NoMatches params={params} /> : children}
          </div>
        </td>
      </tr>
    </tbody>
  );
}

function NoMatches({ params }: { params: ListParams }) {
  return (
    <>
      <p>No records match the search and filters.</p>
      <div className="button-row">
        <Link className="btn" to={listUrl(params, { q: "", filters: {} })} preventScrollReset>
          Clear Filters
        </Link>
      </div>
    </>
  );
}

/** Error message of a failed read with a link that retries. */
export function FailedRows({ message, params }: { message: string; params: ListParams }) {
  return (
    <div className="load-failure">
      <h3>
        <Icon name="circle-alert" className="i s" />
        {message}
      </h3>
      <p>No data was lost. Try loading the list again.</p>
      <div className="button-row">
        <Link className="btn" to={listUrl(params)} preventScrollReset reloadDocument>
          <Icon name="rotate-cw" className="i s" />
          Try again
        </Link>
      </div>
    </div>
  );
}

/** Delay before skeletons replace rows, ms; without it quick pages would flicker. */
const SKELETON_DELAY = 120;

/**
 * Detects a navigation to other rows of the list; opening a dialog does not count.
 *
 * @returns `isSlow` after SKELETON_DELAY
 */
export function usePending(path: string): { isPending: boolean; isSlow: boolean } {
  const current = useLocation();
  const { state, location } = useNavigation();
  const isPending =
    state === "loading" &&
    location.pathname === path &&
    rowsQuery(location.search) !== rowsQuery(current.search);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), SKELETON_DELAY);
    return () => clearTimeout(timer);
  }, [isPending]);
  return { isPending, isSlow: isPending && isSlow };
}

function rowsQuery(search: string): string {
  const { searchParams } = new URL(withoutDialog(`/${search}`), "http://local");
  searchParams.sort();
  return searchParams.toString();
}
