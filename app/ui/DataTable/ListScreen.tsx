import { useActionData, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { RefusedForm } from "../useCheckedForm";
import type { Column } from "./columns";
import { DataTable, type DataTableProps } from "./DataTable";
import { FilterChips } from "./filters";
import { ListTools, type ListToolsProps } from "./ListTools";
import { type ListParams, listUrl } from "./list-params";

interface ListScreenProps<Row extends object>
  extends DataTableProps<Row>,
    Pick<
      ListToolsProps,
      | "lead"
      | "search"
      | "filters"
      | "pills"
      | "datePresets"
      | "formatDay"
      | "firstAction"
      | "csv"
      | "hasClear"
      | "scan"
      | "onSearch"
    > {
  columns: Column<Row>[];
  actions?: ReactNode;
  /** Panel beside the table. */
  aside?: ReactNode;
}

/** Shows a list with its search, filters, actions and active filters. */
export function ListScreen<Row extends object>(props: ListScreenProps<Row>) {
  const { params, columns, filters = [], formatDay = String, hasClear = false, actions, aside } = props;
  return (
    <>
      <ListTools {...props} sorts={columns.filter(({ isFixed }) => !isFixed)}>
        {actions}
      </ListTools>
      <FilterChips params={params} filters={filters} formatDay={formatDay} hasClear={!hasClear} />
      <Beside aside={aside}>
        <DataTable {...props} />
      </Beside>
    </>
  );
}

function Beside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  if (!aside) return children;
  return (
    <div className="with-aside">
      {children}
      {aside}
    </div>
  );
}

/** Props common to the dialogs of a list. */
export interface DialogFrame {
  /** URL of the list behind the dialog. */
  back: string;
  /** URL of the dialog, to which its form posts. */
  action: string;
  /** Result of a failed action. */
  refused: RefusedForm | undefined;
}

/** Returns the URLs of the open dialog and the result of its form. */
export function useDialog(params: ListParams): DialogFrame {
  const refused = useActionData<RefusedForm>();
  const { pathname, search } = useLocation();
  return { back: listUrl(params), action: pathname + search, refused };
}
