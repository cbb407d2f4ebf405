import { Link } from "@remix-run/react";
import type { Header } from "@tanstack/react-table";
import { Icon } from "../Icon";
import type { Features } from "./columns";
import { type ListParams, listUrl } from "./list-params";

interface TableHeadProps<Row extends object> {
  headers: Header<Features, Row>[];
  params: ListParams;
}

/** The titles: links that sort, ascending first, then the other way round (back office 4, Table sorting). */
export function TableHead<Row extends object>({ headers, params }: TableHeadProps<Row>) {
  return (
    <thead>
      <tr>
        {headers.map((header) => (
          <Title key={header.id} header={header} params={params} />
        ))}
      </tr>
    </thead>
  );
}

const ARIA = { asc: "ascending", desc: "descending" } as const;

function Title<Row extends object>({
  header,
  params,
}: {
  header: Header<Features, Row>;
  params: ListParams;
}) {
  const { column } = header;
  const meta = column.columnDef.meta;
  const sorted = column.getIsSorted();
  return (
    <th scope="col" className={meta?.className || undefined} aria-sort={sorted ? ARIA[sorted] : undefined}>
      {column.getCanSort() ? (
        <Link
          className="sort"
          to={listUrl(params, { sort: column.id, dir: sorted === "asc" ? "desc" : "asc" })}
          preventScrollReset
        >
          {meta?.title}
          {sorted === "desc" ? (
            <Icon name="arrow-down" />
          ) : (
            <Icon name="arrow-up" className={sorted ? "i" : "i off"} />
          )}
        </Link>
      ) : (
        <span className={meta?.isQuiet ? "visually-hidden" : undefined}>{meta?.title}</span>
      )}
    </th>
  );
}
