import type { ReactNode } from "react";
import { Chips } from "./Chips";
import type { Column } from "./columns";
import { DataTable, type DataTableProps } from "./DataTable";
import { filterChips } from "./filters";
import { ListTools, type ListToolsProps } from "./ListTools";

interface ListScreenProps<Row extends object>
  extends DataTableProps<Row>,
    Pick<ListToolsProps, "search" | "choices" | "stretches" | "tellDay" | "csv" | "hasClear"> {
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
    stretches,
    tellDay = asIs,
    csv,
    hasClear = false,
    acts,
    children,
    ...table
  } = props;
  const { place, columns } = table;
  return (
    <>
      <ListTools
        place={place}
        search={search}
        choices={choices}
        tellDay={tellDay}
        sorts={columns.filter(({ isFixed }) => !isFixed)}
        {...(stretches && { stretches })}
        {...(csv && { csv })}
        hasClear={hasClear}
      >
        {acts}
      </ListTools>
      <Chips place={place} chips={filterChips(place, choices, tellDay)} hasClear={!hasClear} />
      {children}
      <DataTable {...table} />
    </>
  );
}
