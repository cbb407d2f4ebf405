import type { ReactNode } from "react";
import { formatDay } from "~/domain/day-text";
import {
  type Business,
  type BusinessNames,
  businessName,
  PAYMENT_NAMES,
  type PaymentMode,
} from "~/domain/enums";
import { dollars } from "~/domain/money";
import type { RecentChanges } from "~/features/audit/ObjectHistory";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { ACTIONS_COLUMN, type Column, RowActions } from "~/ui/DataTable/columns";
import type { DateRange, SelectFilter } from "~/ui/DataTable/filters";
import { type DialogFrame, ListScreen, useDialog } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { csvUrl, type ListParams, listUrl, type OpenDialog } from "~/ui/DataTable/list-params";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { StatusRegion } from "~/ui/StatusRegion";

interface Entry {
  id: string;
  description: string;
  amountCents: number;
  day: string;
}

interface ScreenData<Row extends Entry> {
  params: ListParams;
  rows: Row[] | null;
  total: number;
  failure: string | null;
  dialog: OpenDialog | null;
  /** Entry of the open dialog; null when it is gone. */
  target: Row | null;
  changes: RecentChanges;
  datePresets: DateRange[];
  sums: Sums | null;
}

export interface DialogProps<Row> extends DialogFrame {
  /** Entry to update; null adds one. */
  row: Row | null;
  changes: RecentChanges;
}

interface LedgerScreenProps<Row extends Entry> {
  data: ScreenData<Row>;
  title: "Invoice" | "Expense";
  icon: IconName;
  emptyMessage: string;
  columns: Column<Row>[];
  filters: SelectFilter[];
  /** Label of the search. */
  search: string;
  /** Number of pieces on the page, before its amount. */
  pagePieces?: string;
  /** Content before the search field. */
  lead?: ReactNode;
  /** Action before the file and "Add". */
  firstAction?: ReactNode;
  form: (props: DialogProps<Row>) => ReactNode;
}

export function LedgerScreen<Row extends Entry>(props: LedgerScreenProps<Row>) {
  const { data, title, icon, emptyMessage, columns, filters, search, pagePieces, lead, firstAction } = props;
  const { params, rows, total, failure, datePresets } = data;
  const add = listUrl(params, {}, { kind: "dialog", id: "new" });
  useListKeys(add);
  const isSecond = firstAction !== undefined;
  const addAction = <AddAction to={add} title={title} isSecond={isSecond} />;
  return (
    <>
      <StatusRegion message={failure} answer={data} />
      <ListScreen
        label={`${title}s`}
        search={search}
        lead={lead}
        filters={filters}
        datePresets={datePresets}
        formatDay={formatDay}
        csv={csvUrl(params)}
        firstAction={firstAction}
        actions={addAction}
        maxHeight={520}
        params={params}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        foot={<TotalLabel rows={rows ?? []} total={total} pagePieces={pagePieces} sums={data.sums} />}
        empty={{ icon, children: <EmptyLedger message={emptyMessage} action={addAction} /> }}
      />
      <EntryDialogs {...props} />
    </>
  );
}

function AddAction({ to, title, isSecond }: { to: string; title: string; isSecond: boolean }) {
  return (
    <ListAction to={to} isSecond={isSecond}>
      <Icon name="plus" className="i s" />
      Add {title}
    </ListAction>
  );
}

interface TotalLabelProps {
  rows: Entry[];
  total: number;
  pagePieces: string | undefined;
  sums: Sums | null;
}

function TotalLabel({ rows, total, pagePieces, sums }: TotalLabelProps) {
  const tax = sums?.taxCents ?? null;
  const pageSum = dollars(rows.reduce((sum, { amountCents }) => sum + amountCents, 0));
  const pageSummary = pagePieces ? `${pagePieces}, ${pageSum}` : pageSum;
  return (
    <>
      {total === 1 ? "1 result" : `All ${total.toLocaleString("en")} results`}
      {tax !== null && <span> · {dollars(tax)} tax</span>}
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
  const { params, dialog, target, changes } = data;
  const common = { changes, ...useDialog(params) };
  const { back, refused } = common;
  if (dialog?.kind === "duplicate" && target) return form({ row: null, ...common });
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
  const isGone = dialog !== null && dialog.kind !== "dialog" && dialog.kind !== "view";
  const message = refused?.failure ?? (isGone ? `${title} not found` : null);
  return <StatusRegion message={message} answer={refused ?? data} />;
}

function entrySummary({ description, amountCents, day }: Entry): string {
  const rest = `${dollars(amountCents)}, ${formatDay(day)}`;
  return description ? `“${description}”, ${rest}` : `the entry of ${rest}`;
}

/** Sums of all matching entries. */
export interface Sums {
  amountCents: number;
  quantity: number | null;
  taxCents: number | null;
}

/** Offers to clear the filter by a document, which its page sets. */
export const documentFilter = (number: string | undefined): SelectFilter[] =>
  number ? [{ ...DOCUMENTS, options: [{ value: number, label: number }] }] : [];
const DOCUMENTS = { name: "document", label: "Document", allLabel: "All documents" };

export const businessColumn = <Row extends { businessType: Business }>(
  title: string,
  businessNames: BusinessNames,
): Column<Row> => ({
  id: "businessType",
  title,
  className: "cell-folded nowrap",
  card: "meta",
  cell: ({ businessType }) => businessName(businessType, businessNames),
});

export function Description({ text, detail }: { text: string; detail: string }) {
  return (
    <span title={text}>
      {text || <span className="soft">No description</span>}
      <small>{detail}</small>
    </span>
  );
}

export const amountColumn = <Row extends { amountCents: number }>(sums: Sums | null): Column<Row> => ({
  id: "amount",
  title: "Amount",
  isNumber: true,
  className: "cell-amount",
  card: "side",
  cell: ({ amountCents }) => dollars(amountCents),
  ...(sums && { sum: dollars(sums.amountCents) }),
});

export const dayColumn = <Row extends { day: string }>(title: string): Column<Row> => ({
  id: "createdAt",
  title,
  isNumber: true,
  card: "end",
  cell: (row) => formatDay(row.day),
});

export const actionsColumn = <Row extends { id: string; description: string }>(
  params: ListParams,
  isDuplicable = false,
): Column<Row> => ({
  ...ACTIONS_COLUMN,
  cell: ({ id, description }) => (
    <RowActions
      id={id}
      name={description || "an entry without a description"}
      params={params}
      isDuplicable={isDuplicable}
    />
  ),
});

const PAYMENT_ICONS: Record<PaymentMode, IconName> = { CASH: "banknote", CARD: "credit-card", EMT: "send" };

export function PaymentLabel({ mode }: { mode: PaymentMode }) {
  return (
    <>
      <Icon name={PAYMENT_ICONS[mode]} className="i s" />
      {PAYMENT_NAMES[mode]}
    </>
  );
}
