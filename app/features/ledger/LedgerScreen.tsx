import type { ReactNode } from "react";
import type { Column } from "~/ui/DataTable/columns";
import type { DateRange, SelectFilter } from "~/ui/DataTable/filters";
import { type DialogFrame, ListScreen, useDialog } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { csvUrl, type ListParams, listUrl, type OpenDialog } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { formatDay } from "~/ui/dates";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { ConfirmDialog } from "~/ui/modal";
import { dollars } from "~/ui/money";
import { StatusRegion } from "~/ui/Toasts";

interface Entry {
  id: string;
  description: string;
  amountCents: number;
  day: string;
}

/** Loader data of both screens. */
interface ScreenData<Row extends Entry> {
  params: ListParams;
  rows: Row[] | null;
  total: number;
  failure: string | null;
  dialog: OpenDialog | null;
  /** Entry of the open dialog; null when it is gone. */
  target: Row | null;
  datePresets: DateRange[];
}

/** Props of a dialog that adds or updates an entry. */
export interface DialogProps<Row> extends DialogFrame {
  /** Entry to update; null adds one. */
  row: Row | null;
}

interface LedgerScreenProps<Row extends Entry> {
  data: ScreenData<Row>;
  title: "Invoice" | "Expense";
  icon: IconName;
  /** Message in an empty ledger. */
  emptyMessage: string;
  /** CSS class of the table: the card layout of its rows. */
  className: string;
  columns: Column<Row>[];
  filters: SelectFilter[];
  /** Sums of the page. */
  pageSummary: string;
  form: (props: DialogProps<Row>) => ReactNode;
}

/** Shows the list, its tools and its dialogs for invoices or expenses. */
export function LedgerScreen<Row extends Entry>(props: LedgerScreenProps<Row>) {
  const { data, title, icon, emptyMessage, className, columns, filters, pageSummary } = props;
  const { params, rows, total, failure, datePresets } = data;
  const add = listUrl(params, {}, { kind: "dialog", id: "new" });
  useListKeys(add);
  const addAction = (
    <ListAction to={add}>
      <Icon name="plus" className="i s" />
      Add {title}
    </ListAction>
  );
  return (
    <>
      <StatusRegion message={failure} answer={data} />
      <ListScreen
        label={`${title}s`}
        search="Search descriptions"
        filters={filters}
        datePresets={datePresets}
        formatDay={formatDay}
        csv={csvUrl(params)}
        actions={addAction}
        className={className}
        frame={520}
        params={params}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        foot={<TotalLabel total={total} pageSummary={pageSummary} />}
        empty={{ icon, children: <EmptyLedger message={emptyMessage} action={addAction} /> }}
      />
      <EntryDialogs {...props} />
    </>
  );
}

function TotalLabel({ total, pageSummary }: { total: number; pageSummary: string }) {
  return (
    <>
      {total === 1 ? "1 result" : `All ${total.toLocaleString("en")} results`}
      <span className="soft wide-only"> · this page {pageSummary}</span>
    </>
  );
}

function EmptyLedger({ message, action }: { message: string; action: ReactNode }) {
  return (
    <>
      <p>{message}</p>
      <div className="button-row">
        {action}
        <span className="soft wide-only needs-script">
          or press <kbd>N</kbd>
        </span>
      </div>
    </>
  );
}

function EntryDialogs<Row extends Entry>({ data, title, form }: LedgerScreenProps<Row>) {
  const { params, dialog, target } = data;
  const common = useDialog(params);
  const { back, refused } = common;
  if (dialog?.kind === "dialog" && dialog.id === "new") return form({ row: null, ...common });
  if (dialog?.kind === "edit" && target) return form({ row: target, ...common });
  // Deleted by somebody else: the typed values stay and can be added as a new entry.
  if (dialog?.kind === "edit" && refused) return form({ row: null, ...common });
  if (dialog?.kind === "delete" && target)
    return (
      <ConfirmDialog
        title="Confirm Delete"
        message={`Are you sure you want to delete ${entrySummary(target)}?`}
        intent="delete"
        fields={{ id: target.id }}
        back={back}
      />
    );
  const isGone = dialog?.kind === "edit" || dialog?.kind === "delete";
  const message = refused?.failure ?? (isGone ? `${title} not found` : null);
  return <StatusRegion message={message} answer={refused ?? data} />;
}

function entrySummary({ description, amountCents, day }: Entry): string {
  const rest = `${dollars(amountCents)}, ${formatDay(day)}`;
  return description ? `“${description}”, ${rest}` : `the entry of ${rest}`;
}
