import type { ReactNode } from "react";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import type { Column } from "~/ui/DataTable/columns";
import type { Choice, DateRange } from "~/ui/DataTable/filters";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { csvUrl, type ListParams, listUrl, type OpenDialog } from "~/ui/DataTable/list-params";
import { type DialogFrame, useDialog } from "~/ui/DataTable/useDialog";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { formatDay } from "~/ui/dates";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { dollars } from "~/ui/money";
import { StatusRegion } from "~/ui/StatusRegion";

interface Entry {
  id: string;
  description: string;
  amountCents: number;
  day: string;
}

/** What both screens' loaders tell. */
interface ScreenData<Row extends Entry> {
  params: ListParams;
  rows: Row[] | null;
  total: number;
  failure: string | null;
  dialog: OpenDialog | null;
  /** The row that the dialog is about; null when it is gone. */
  target: Row | null;
  datePresets: DateRange[];
}

/** What a dialog that adds or changes is given. */
export interface DialogProps<Row> extends DialogFrame {
  /** The entry that is changed; none when one is added. */
  row: Row | null;
}

interface BookScreenProps<Row extends Entry> {
  data: ScreenData<Row>;
  /** Invoice or Expense. */
  title: "Invoice" | "Expense";
  icon: IconName;
  /** What is said where there is no entry yet. */
  invitation: string;
  /** The table's class: how its rows become cards. */
  className: string;
  columns: Column<Row>[];
  choices: Choice[];
  /** What the page adds up, beside the sum of all. */
  ofPage: string;
  form: (props: DialogProps<Row>) => ReactNode;
}

/** A screen of the books: tools, table and dialogs, whatever its entries are. */
export function LedgerScreen<Row extends Entry>(props: BookScreenProps<Row>) {
  const { data, title, icon, invitation, className, columns, choices, ofPage } = props;
  const { params, rows, total, failure, datePresets } = data;
  const add = listUrl(params, {}, { kind: "dialog", id: "new" });
  useListKeys(add);
  const act = (
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
        choices={choices}
        datePresets={datePresets}
        formatDay={formatDay}
        csv={csvUrl(params)}
        acts={act}
        className={className}
        frame={520}
        params={params}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        foot={<FootWords total={total} ofPage={ofPage} />}
        empty={{ icon, children: <Invitation words={invitation} act={act} /> }}
      />
      <Opened {...props} />
    </>
  );
}

function FootWords({ total, ofPage }: { total: number; ofPage: string }) {
  return (
    <>
      {total === 1 ? "1 result" : `All ${total.toLocaleString("en")} results`}
      <span className="soft wide-only"> · this page {ofPage}</span>
    </>
  );
}

function Invitation({ words, act }: { words: string; act: ReactNode }) {
  return (
    <>
      <p>{words}</p>
      <div className="button-row">
        {act}
        <span className="soft wide-only needs-script">
          or press <kbd>N</kbd>
        </span>
      </div>
    </>
  );
}

function Opened<Row extends Entry>({ data, title, form }: BookScreenProps<Row>) {
  const { params, dialog, target } = data;
  const common = useDialog(params);
  const { back, refused } = common;
  if (dialog?.kind === "dialog" && dialog.id === "new") return form({ row: null, ...common });
  if (dialog?.kind === "edit" && target) return form({ row: target, ...common });
  // Deleted by somebody else meanwhile: what was typed stays, and can be added anew.
  if (dialog?.kind === "edit" && refused) return form({ row: null, ...common });
  if (dialog?.kind === "delete" && target)
    return (
      <ConfirmDialog
        title="Confirm Delete"
        message={`Are you sure you want to delete ${inWords(target)}?`}
        intent="delete"
        fields={{ id: target.id }}
        back={back}
      />
    );
  const isGone = dialog?.kind === "edit" || dialog?.kind === "delete";
  const said = refused?.failure ?? (isGone ? `${title} not found` : null);
  return <StatusRegion message={said} answer={refused ?? data} />;
}

function inWords({ description, amountCents, day }: Entry): string {
  const rest = `${dollars(amountCents)}, ${formatDay(day)}`;
  return description ? `“${description}”, ${rest}` : `the entry of ${rest}`;
}
