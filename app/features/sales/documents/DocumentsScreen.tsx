import { useMemo, useState } from "react";
import { formatDay } from "~/domain/day-text";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { businessFilter } from "~/features/ledger/business-filter";
import { ListScreen } from "~/ui/DataTable/ListScreen";
import { ListAction } from "~/ui/DataTable/ListTools";
import { useListKeys } from "~/ui/DataTable/useTableKeys";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { StatusRegion } from "~/ui/StatusRegion";
import { depositReceiptPath } from "../deposit";
import type { DocumentRow, DocumentSums } from "../queries/document-list.server";
import { NEW_SALE_PATH } from "../urls";
import { documentColumns, PICKS } from "./columns";
import type { DocumentsScreenData } from "./page.server";
import { ViewSwitch } from "./ViewSwitch";

export function DocumentsScreen({ data }: { data: DocumentsScreenData }) {
  const { params, rows, sums, total, failure, businessNames, datePresets } = data;
  const { picked, toggle, clear } = usePicked(rows ?? []);
  const columns = useMemo(
    () => documentColumns(businessNames, sums, picked, toggle),
    [businessNames, sums, picked, toggle],
  );
  useListKeys(NEW_SALE_PATH);
  return (
    <>
      <StatusRegion message={failure} answer={data} />
      {data.deposits.length > 0 && <FoundDeposits deposits={data.deposits} />}
      <ListScreen
        label="Documents"
        search="Number, customer, item, amount"
        lead={<ViewSwitch current="Documents" />}
        filters={[{ ...businessFilter(businessNames), name: "business" }, KIND_FILTER, SOURCE_FILTER]}
        datePresets={datePresets}
        formatDay={formatDay}
        actions={
          <ListAction to={NEW_SALE_PATH}>
            <Icon name="plus" className="i s" />
            New sale
          </ListAction>
        }
        className="document-table"
        maxHeight={520}
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

/** Lists deposits whose number was searched for: they are no documents. */
function FoundDeposits({ deposits }: Pick<DocumentsScreenData, "deposits">) {
  return (
    <section className="panel found-deposits" aria-labelledby="deposits-title">
      <h2 id="deposits-title">Deposits</h2>
      <ul>
        {deposits.map(({ id, number, text, amountCents }) => (
          <li key={id}>
            <a className="link" href={localTo(depositReceiptPath(id))}>
              {number}
            </a>{" "}
            <b>{dollars(amountCents)}</b> <span className="soft">{text}</span>
          </li>
        ))}
      </ul>
    </section>
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

const SOURCE_FILTER = {
  name: "source",
  label: "Sold",
  allLabel: "All sources",
  options: [
    { value: "chat", label: "In chats" },
    { value: "counter", label: "At the counter" },
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

function FootLabel({ sums: { sales, credits, discountCents } }: { sums: DocumentSums }) {
  const discounts = discountCents === 0 ? "" : ` · discounts ${dollars(discountCents)}`;
  return (
    <>
      {counted(sales + credits, "document").replace(/^(?!1 )/, "All ")}
      <span className="soft wide-only">{` · ${counted(sales, "sale")}, ${counted(credits, "credit")}${discounts}`}</span>
    </>
  );
}

interface PickedBarProps {
  /** Id of the form to which the rows' checkboxes belong. */
  form: string;
  rows: DocumentRow[];
  picked: ReadonlySet<string>;
  clear: () => void;
}

/** Returns the URL of the file with several receipts. */
const receiptsUrl = (ids: Iterable<string>) =>
  `/receipts.pdf?${new URLSearchParams({ ids: [...ids].join(",") })}`;

/** Prints the ticked documents; without JavaScript a form sends the ticks. */
function PickedBar({ form, rows, picked, clear }: PickedBarProps) {
  const sum = rows.reduce((total, { id, totalCents }) => (picked.has(id) ? total + totalCents : total), 0);
  return (
    <div className="picked-bar" data-empty={picked.size === 0 || undefined}>
      <span role="status" className="needs-script">
        {picked.size > 0 && (
          <>
            <b>{`${picked.size} selected`}</b> <span className="soft">{dollars(sum)}</span>
          </>
        )}
      </span>
      {picked.size > 0 && (
        <span className="button-row">
          <a className="btn" href={localTo(receiptsUrl(picked))} target="_blank" rel="noreferrer">
            <Icon name="printer" className="i s" />
            Print
          </a>
          <a className="btn" href={localTo(receiptsUrl(picked))} download="receipts.pdf">
            <Icon name="file-down" className="i s" />
            One PDF
          </a>
          <button type="button" className="btn quiet" onClick={clear}>
            Clear
          </button>
        </span>
      )}
      <form id={form} method="post" target="_blank" className="without-script">
        <button type="submit" name="intent" value="print" className="btn">
          One PDF of the ticked rows
        </button>
      </form>
    </div>
  );
}
