import { formatDay } from "~/domain/day-text";
import { type BusinessNames, businessName, PAYMENT_NAMES } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { ACTIONS_COLUMN, type Column } from "~/ui/DataTable/columns";
import { rowKeyAttribute } from "~/ui/DataTable/useTableKeys";
import { listNames } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import type { DocumentRow, DocumentSums } from "../queries/document-list.server";
import { documentPath } from "../urls";

/** Id of the form to which the rows' checkboxes belong. */
export const PICKS = "picked-documents";

/** Columns of the list of documents. @param toggle ticks a row */
export function documentColumns(
  businessNames: BusinessNames,
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
      card: "mark",
      cell: (row) => <Pick row={row} isPicked={picked.has(row.id)} toggle={toggle} />,
    },
    ...TEXT_COLUMNS,
    {
      id: "business",
      title: "Business",
      isFixed: true,
      className: "cell-business nowrap",
      cell: ({ businessType }) => businessName(businessType, businessNames),
    },
    {
      id: "payment",
      title: "Payment",
      isFixed: true,
      className: "cell-payment cell-apart",
      cell: ({ paymentMode }) => PAYMENT_NAMES[paymentMode],
    },
    ...amountColumns(sums),
    { ...ACTIONS_COLUMN, card: undefined, cell: (row) => <Actions row={row} /> },
  ];
}

function amountColumns(sums: DocumentSums | null): Column<DocumentRow>[] {
  return [
    {
      id: "tax",
      title: "Tax",
      isFixed: true,
      isNumber: true,
      className: "cell-folded",
      cell: ({ isTaxed, taxCents }) => (isTaxed ? dollars(taxCents) : <span className="soft">no tax</span>),
      ...(sums && { sum: dollars(sums.taxCents) }),
    },
    {
      id: "total",
      title: "Total",
      isFixed: true,
      isNumber: true,
      className: "cell-amount",
      card: "side",
      cell: ({ totalCents }) => dollars(totalCents),
      ...(sums && { sum: dollars(sums.totalCents) }),
    },
    {
      id: "createdAt",
      title: "Date",
      isNumber: true,
      card: "end",
      cell: ({ day }) => formatDay(day),
    },
  ];
}

const TEXT_COLUMNS: Column<DocumentRow>[] = [
  {
    id: "number",
    title: "Number",
    isFixed: true,
    className: "cell-number nowrap",
    card: "title",
    cell: ({ id, number }) => (
      <Link className="quiet-link" to={documentPath(id)} {...rowKeyAttribute("e")}>
        {number}
      </Link>
    ),
  },
  {
    id: "customer",
    title: "Customer",
    isFixed: true,
    className: "cell-customer",
    card: "detail",
    cell: ({ customerName, chatId }) =>
      customerName || <span className="soft">{chatId ? "Chat" : "Counter"}</span>,
  },
  {
    id: "items",
    title: "Items",
    isFixed: true,
    className: "cell-items",
    card: "line",
    cell: (row) => <Items row={row} />,
  },
];

interface PickProps {
  row: DocumentRow;
  isPicked: boolean;
  toggle: (id: string) => void;
}

function Pick({ row: { id, number }, isPicked, toggle }: PickProps) {
  return (
    <label className="pick">
      <input
        type="checkbox"
        form={PICKS}
        name="ids"
        value={id}
        aria-label={`Select ${number}`}
        checked={isPicked}
        onChange={() => toggle(id)}
        {...rowKeyAttribute("x")}
      />
    </label>
  );
}

function Items({ row }: { row: DocumentRow }) {
  const { items, lines, originalNumber, creditedCents, isVoided } = row;
  const names = items.map(({ quantity, description }) =>
    // A credit by amount takes no piece back.
    quantity === 1 || quantity === 0 ? description : `${quantity} × ${description}`,
  );
  const text = listNames(names, items.length, lines);
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

function Actions({ row: { id, number, chatId, kind, isVoided } }: { row: DocumentRow }) {
  return (
    <span className="row-actions">
      {chatId && (
        <span className="row-chat">
          <Link
            className="tool-button"
            to={`/admin/chat?chat=${encodeURIComponent(chatId)}`}
            aria-label={`Chat of ${number}`}
            title="Chat"
          >
            <Icon name="message-square-text" className="i s" />
          </Link>
        </span>
      )}
      <a
        className="tool-button"
        href={localTo(`/receipts/${encodeURIComponent(id)}.pdf`)}
        target="_blank"
        rel="noreferrer"
        aria-label={`Print ${number}`}
        title="Print"
        {...rowKeyAttribute("p")}
      >
        <Icon name="printer" className="i s" />
      </a>
      {kind === "sale" && !isVoided && (
        <Link
          className="tool-button"
          to={`${documentPath(id)}?credit=1`}
          aria-label={`Credit ${number}`}
          title="Credit"
          {...rowKeyAttribute("c")}
        >
          <Icon name="undo-2" className="i s" />
        </Link>
      )}
    </span>
  );
}
