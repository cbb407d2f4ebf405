import type { ReactNode } from "react";
import { Chips } from "./Chips";
import type { Column } from "./columns";
import { DataTable, type DataTableProps } from "./DataTable";
import { filterChips } from "./filters";
import { ListTools, type ListToolsProps } from "./ListTools";

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
