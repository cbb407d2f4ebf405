import { Link } from "@remix-run/react";
import { useMemo, useState } from "react";
import { businessName, PAYMENT_NAMES } from "~/features/ledger/enums";
import { businessFilter } from "~/features/ledger/LedgerScreen";
import { ACTIONS_COLUMN, type Column } from "~/ui/DataTable/columns";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { formatDay } from "~/ui/dates";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import { StatusRegion } from "~/ui/Toasts";
import type { DocumentRow, DocumentSums } from "./list.queries.server";
import type { DocumentsScreenData } from "./list.server";
import { documentPath, NEW_SALE_PATH } from "./list-params";
import { PickedBar } from "./PickedBar";
import { ViewSwitch } from "./ViewSwitch";

/** Form of the ticked rows. */
const PICKS = "picked-documents";

export function DocumentsScreen({ data }: { data: DocumentsScreenData }) {
  const { params, rows, sums, total, failure, shopName, datePresets } = data;
  const { picked, toggle, clear } = usePicked(rows ?? []);
  const columns = useMemo(
    () => documentColumns(shopName, sums, picked, toggle),
    [shopName, sums, picked, toggle],
  );
  useListKeys(NEW_SALE_PATH);
  return (
    <>
      <StatusRegion message={failure} answer={data} />
      <ListScreen
        label="Documents"
        search="Number, customer, item"
        lead={<ViewSwitch current="Documents" />}
        filters={[{ ...businessFilter(shopName), name: "business" }, KIND_FILTER]}
        datePresets={datePresets}
        formatDay={formatDay}
        actions={
          <ListAction to={NEW_SALE_PATH}>
            <Icon name="plus" className="i s" />
            New sale
          </ListAction>
        }
        className="document-table"
        frame={520}
        params={params}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        total={total}
        failure={failure}
        foot={sums && <FootLabel sums={sums} />}
        note={<PickedBar form={PICKS} rows={rows ?? []} picked={picked} clear={clear} />}
        empty={{ icon: "receipt-text", children: <p>Record a sale, and its receipt stands here.</p> }}
      />
    </>
  );
}

const KIND_FILTER = {
  name: "kind",
  label: "Kind",
  allLabel: "All kinds",
  options: [
    { value: "sale", label: "Sales" },
    { value: "credit", label: "Credit notes" },
  ],
};

/** Keeps which rows of the page are ticked. */
function usePicked(rows: DocumentRow[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const picked = useMemo(() => new Set(rows.map(({ id }) => id).filter((id) => ids.has(id))), [rows, ids]);
  const [toggle] = useState(() => (id: string) => {
    setIds((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  });
  return { picked, toggle, clear: () => setIds(new Set()) };
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

function FootLabel({ sums: { sales, credits } }: { sums: DocumentSums }) {
  return (
    <>
      {counted(sales + credits, "document", "documents").replace(/^(?!1 )/, "All ")}
      <span className="soft wide-only">
        {` · ${counted(sales, "sale", "sales")}, ${counted(credits, "credit", "credits")}`}
      </span>
    </>
  );
}

function documentColumns(
  shopName: string,
  sums: DocumentSums | null,
  picked: ReadonlySet<string>,
  toggle: (id: string) => void,
): Column<DocumentRow>[] {
  return [
    {
      id: "pick",
      title: "Select",
      isFixed: true,
      isQuiet: true,
      className: "cell-pick",
      cell: (row) => <Pick row={row} isPicked={picked.has(row.id)} toggle={toggle} />,
    },
    ...TEXT_COLUMNS,
    {
      id: "business",
      title: "Business",
      isFixed: true,
      className: "cell-business nowrap",
      cell: ({ businessType }) => businessName(businessType, shopName),
    },
    {
      id: "payment",
      title: "Payment",
      isFixed: true,
      className: "cell-payment",
      cell: ({ paymentMode }) => PAYMENT_NAMES[paymentMode],
    },
    {
      id: "tax",
      title: "Tax",
      isFixed: true,
      isNumber: true,
      className: "cell-tax",
      cell: ({ isTaxed, taxCents }) => (isTaxed ? dollars(taxCents) : <span className="soft">no tax</span>),
      ...(sums && { sum: dollars(sums.taxCents) }),
    },
    {
      id: "total",
      title: "Total",
      isFixed: true,
      isNumber: true,
      className: "cell-amount",
      cell: ({ totalCents }) => dollars(totalCents),
      ...(sums && { sum: dollars(sums.totalCents) }),
    },
    {
      id: "createdAt",
      title: "Date",
      isNumber: true,
      className: "date",
      cell: ({ day }) => formatDay(day),
    },
    { ...ACTIONS_COLUMN, cell: (row) => <Actions row={row} /> },
  ];
}

const TEXT_COLUMNS: Column<DocumentRow>[] = [
  {
    id: "number",
    title: "Number",
    isFixed: true,
    className: "cell-number nowrap",
    cell: ({ id, number }) => (
      <Link className="quiet-link" to={documentPath(id)}>
        {number}
      </Link>
    ),
  },
  {
    id: "customer",
    title: "Customer",
    isFixed: true,
    className: "cell-customer",
    cell: ({ customerName }) => customerName || <span className="soft">Counter</span>,
  },
  { id: "items", title: "Items", isFixed: true, className: "cell-items", cell: (row) => <Items row={row} /> },
];

interface PickProps {
  row: DocumentRow;
  isPicked: boolean;
  toggle: (id: string) => void;
}

function Pick({ row: { id, number }, isPicked, toggle }: PickProps) {
  return (
    <input
      type="checkbox"
      form={PICKS}
      name="ids"
      value={id}
      aria-label={`Select ${number}`}
      checked={isPicked}
      onChange={() => toggle(id)}
    />
  );
}

function Items({ row }: { row: DocumentRow }) {
  const { items, lines, originalNumber, creditedCents, isVoided } = row;
  const names = items.map(({ quantity, description }) =>
    quantity === 1 ? description : `${quantity} × ${description}`,
  );
  const more = lines > items.length ? `, and ${lines - items.length} more` : "";
  const text = names.join(", ") + more;
  return (
    <span className="with-label">
      <span className="truncate" title={text}>
        {text}
      </span>
      {originalNumber && <span className="state-label line">{`Credits ${originalNumber}`}</span>}
      {isVoided && <span className="state-label">Voided</span>}
      {!isVoided && creditedCents !== 0 && (
        <span className="state-label line">{`${dollars(-creditedCents)} credited`}</span>
      )}
    </span>
  );
}

function Actions({ row: { id, number, chatId } }: { row: DocumentRow }) {
  return (
    <span className="row-actions">
      {chatId && (
        <Link
          className="tool-button"
          to={`/admin/chat?chat=${encodeURIComponent(chatId)}`}
          aria-label={`Chat of ${number}`}
          title="Chat"
        >
          <Icon name="message-square-text" className="i s" />
        </Link>
      )}
      <a
        className="tool-button"
        href={`/receipts/${encodeURIComponent(id)}.pdf`}
        target="_blank"
        rel="noreferrer"
        aria-label={`Print ${number}`}
        title="Print"
      >
        <Icon name="printer" className="i s" />
      </a>
    </span>
  );
}
