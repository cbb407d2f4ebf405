import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "../Icon";
import type { IconName } from "../icons";
import type { Column } from "./columns";
import { isFiltered, type ListParams, listUrl } from "./list-params";

/** Rows that are on their way where none stood. */
export function SkeletonRows<Row>({ columns, count }: { columns: Column<Row>[]; count: number }) {
  return (
    <tbody aria-hidden="true" className="skeleton-rows">
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
          <div className="empty-state">
            <span className="empty-state-icon">
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
      <div className="button-row">
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
    <div className="load-failure">
      <h3>
        <Icon name="circle-alert" className="i s" />
        {message}
      </h3>
      <p>Nothing is lost. The list can be asked for again.</p>
      <div className="button-row">
        <Link className="btn" to={listUrl(params)} preventScrollReset reloadDocument>
          <Icon name="rotate-cw" className="i s" />
          Try again
        </Link>
      </div>
    </div>
  );
}
