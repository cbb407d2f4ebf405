import { Link, useActionData, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { FormFailure } from "../form-failure";
import { Icon } from "../Icon";
import type { Column } from "./columns";
import { DataTable, type DataTableProps } from "./DataTable";
import { type Chip, filterChips } from "./filters";
import { ListTools, type ListToolsProps } from "./ListTools";
import { type ListParams, listUrl } from "./list-params";

interface ListScreenProps<Row extends object>
  extends DataTableProps<Row>,
    Pick<ListToolsProps, "search" | "choices" | "datePresets" | "formatDay" | "csv" | "hasClear"> {
  columns: Column<Row>[];
  /** What stands at the end of the tools: the acts of the page. */
  acts?: ReactNode;
  /** What stands between the tools and the rows. */
  children?: ReactNode;
}

const asIs = (day: string) => day;

/** A list with what stands above it: search, filters and acts, then what it is narrowed to. */
export function ListScreen<Row extends object>(props: ListScreenProps<Row>) {
  const {
    search,
    choices = [],
    datePresets,
    formatDay = asIs,
    csv,
    hasClear = false,
    acts,
    children,
    ...table
  } = props;
  const { params, columns } = table;
  return (
    <>
      <ListTools
        params={params}
        search={search}
        choices={choices}
        formatDay={formatDay}
        sorts={columns.filter(({ isFixed }) => !isFixed)}
        {...(datePresets && { datePresets })}
        {...(csv && { csv })}
        hasClear={hasClear}
      >
        {acts}
      </ListTools>
      <Chips params={params} chips={filterChips(params, choices, formatDay)} hasClear={!hasClear} />
      {children}
      <DataTable {...table} />
    </>
  );
}

interface ChipsProps {
  params: ListParams;
  chips: Chip[];
  /** Whether one press takes away all of it. */
  hasClear: boolean;
}

/** What the list is narrowed to, each taken away by a press. */
export function Chips({ params, chips, hasClear }: ChipsProps) {
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters">
      {chips.map(({ words, names }) => (
        <li key={words}>
          <Link
            className="chip"
            to={listUrl(params, { filters: without(params.filters, names) })}
            aria-label={`Clear ${words}`}
            preventScrollReset
          >
            {words}
            <Icon name="x" className="i s" />
          </Link>
        </li>
      ))}
      {hasClear && (
        <li>
          <Link className="btn quiet" to={listUrl(params, { q: "", filters: {} })} preventScrollReset>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

function without(filters: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));
}

/** What every dialog over a list is given. */
export interface DialogFrame {
  /** Where closing it leads: the same list with the same filters. */
  back: string;
  /** The dialog's own address, which its form is sent to. */
  action: string;
  /** What the page's action answered, if it refused. */
  refused: FormFailure | undefined;
}

/** Where the dialog over a list is, and what its form was answered. */
export function useDialog(params: ListParams): DialogFrame {
  const refused = useActionData<FormFailure>();
  const { pathname, search } = useLocation();
  return { back: listUrl(params), action: pathname + search, refused };
}
