import { useState } from "react";
import { formatDay } from "~/domain/day-text";
import { BUSINESSES, businessName, PAYMENT_NAMES } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { decimalDollars, dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { depositReceiptPath } from "~/features/sales/deposit";
import { LineHeads } from "~/features/sales/LineHeads";
import { documentPath, drawerUrl } from "~/features/sales/urls";
import { AmountField } from "~/ui/AmountField";
import { TextArea } from "~/ui/Field";
import { useHydrated } from "~/ui/hooks";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { ScrollBox } from "~/ui/ScrollBox";
import { useRefusedForm } from "~/ui/useRefusedForm";
import { MAX_REASON } from "./drawer";
import { NotesAndCoins } from "./NotesAndCoins";
import type { DrawerPage } from "./page.server";

interface PageProps {
  page: DrawerPage;
}

/** Drawer of a business: what moved cash on its day, and the count that closes it. */
export function DrawerScreen({ page }: PageProps) {
  const { business, businessNames, drawer } = page;
  return (
    <>
      <nav className="view-switch drawer-switch" aria-label="Business">
        {BUSINESSES.map((one) => (
          <Link key={one} to={drawerUrl(one)} aria-current={one === business ? "page" : undefined}>
            {businessName(one, businessNames)}
          </Link>
        ))}
      </nav>
      <div className="record-page">
        <div className="record-main">
          <Moves page={page} />
          {page.earlier.length > 0 && <Earlier page={page} />}
        </div>
        {drawer && <Count key={drawer.id} drawer={drawer} page={page} />}
        {!drawer && page.day === page.today && <Open page={page} />}
      </div>
    </>
  );
}

/** Payments and expenses in cash of the drawer's day. */
function Moves({ page: { day, drawer, rows, isCut } }: PageProps) {
  return (
    <section className="panel record-table" aria-labelledby="moves-title">
      <header>
        <h2 id="moves-title">{formatDay(day)}</h2>
        {drawer && <p className="soft">{`opened ${drawer.opened} by ${drawer.openedBy}`}</p>}
        {isCut && <p className="soft">The latest of the day; the sums hold all.</p>}
      </header>
      <ScrollBox label="Cash of the day, scrolls" className="scroll-x">
        <table className="small-table folded-rows">
          <LineHeads heads={["When", "What", "By", ["Cash", "num"]]} />
          <tbody>
            {rows.map((row) => (
              <Move key={row.id} row={row} />
            ))}
            {rows.length === 0 && (
              <tr>
                <td colSpan={4}>No cash has moved.</td>
              </tr>
            )}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}

function Move({
  row: { id, at, number, label, documentId, quoteId, createdBy, amountCents },
}: {
  row: DrawerPage["rows"][number];
}) {
  const isExpense = documentId === null && quoteId === null;
  return (
    <tr>
      <td className="nowrap">{at}</td>
      <td className="what">
        {documentId !== null && (
          <Link className="quiet-link" to={documentPath(documentId)}>
            {number}
          </Link>
        )}
        {documentId === null && !isExpense && (
          <a className="quiet-link" href={localTo(depositReceiptPath(id))}>
            {number}
          </a>
        )}{" "}
        {isExpense ? `Expense: ${label}` : label}
      </td>
      <td>{createdBy}</td>
      <td className="num">{dollars(amountCents)}</td>
    </tr>
  );
}

function Earlier({ page: { earlier, business } }: PageProps) {
  return (
    <section className="panel record-table" aria-labelledby="earlier-title">
      <header>
        <h2 id="earlier-title">Earlier days</h2>
      </header>
      <ScrollBox label="Earlier days, scrolls" className="scroll-x">
        <table className="small-table">
          <LineHeads heads={["Day", "Closed by", ["Counted", "num"], ["Difference", "num"]]} />
          <tbody>
            {earlier.map((drawer) => (
              <EarlierDay key={drawer.id} {...drawer} url={drawerUrl(business, drawer.day)} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}

function EarlierDay(props: DrawerPage["earlier"][number] & { url: string }) {
  const { url, day, closedBy, countedCents, expectedCents, reason } = props;
  return (
    <tr>
      <td className="nowrap">
        <Link className="quiet-link" to={url}>
          {formatDay(day)}
        </Link>
      </td>
      <td>
        {closedBy}
        {reason && <small className="soft">{reason}</small>}
      </td>
      <td className="num">{dollars(countedCents ?? 0)}</td>
      <td className="num">{dollars((countedCents ?? 0) - (expectedCents ?? 0))}</td>
    </tr>
  );
}

/** Form that opens a drawer with its float. */
function Open({ page }: PageProps) {
  const { failure, value, error } = useRefusedForm();
  // The first id counts: every revalidation of the page proposes another one.
  const [id] = useState(value("id", page.id));
  return (
    <Form
      method="post"
      action={drawerUrl(page.business)}
      className="panel drawer-form"
      aria-label="Open the drawer"
      replace
    >
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="businessType" value={page.business} />
      <h2>Open the drawer</h2>
      <AmountField
        id="drawer-float"
        name="float"
        label="Float"
        hint="Cash that was in it before the first sale of the day"
        defaultValue={value("float", decimalDollars(page.floatCents))}
        error={error("float")}
      />
      <Failure failure={failure} />
      <button type="submit" name="intent" value="open" className="btn primary">
        Open the drawer
      </button>
    </Form>
  );
}

const Failure = ({ failure }: { failure: string | null | undefined }) => (
  <p className="error" role="status">
    {failure && (
      <>
        <Icon name="circle-alert" className="i s" /> {failure}
      </>
    )}
  </p>
);

interface CountProps extends PageProps {
  drawer: NonNullable<DrawerPage["drawer"]>;
}

/** Sums of the drawer and, while it is open, the form that closes it. */
function Count({ drawer, page }: CountProps) {
  if (drawer.closed !== null) return <Closed drawer={drawer} page={page} />;
  return <CountForm drawer={drawer} page={page} />;
}

function CountForm({ drawer, page }: CountProps) {
  const form = useRefusedForm();
  const { failure, value, error } = form;
  const [counted, setCounted] = useState(value("counted"));
  const isHydrated = useHydrated();
  const cents = isHydrated ? (parseAmount(counted)?.cents ?? null) : null;
  return (
    <Form
      method="post"
      action={drawerUrl(page.business)}
      className="panel drawer-form"
      aria-label="Close the drawer"
      replace
    >
      <input type="hidden" name="id" value={drawer.id} />
      <input type="hidden" name="businessType" value={page.business} />
      <input type="hidden" name="expected" value={decimalDollars(drawer.expected)} />
      <h2>Count</h2>
      <Sums drawer={drawer} counted={cents} />
      <NotesAndCoins sumField="drawer-counted" form={form} />
      <AmountField
        id="drawer-counted"
        name="counted"
        label="Counted"
        defaultValue={value("counted")}
        onInput={({ currentTarget }) => setCounted(currentTarget.value)}
        error={error("counted")}
      />
      <Reason
        isHidden={isHydrated && !error("reason") && (cents ?? drawer.expected) === drawer.expected}
        value={value("reason")}
        error={error("reason")}
      />
      <Failure failure={failure} />
      <button type="submit" name="intent" value="close" className="btn primary">
        Close the drawer
      </button>
    </Form>
  );
}

/** Field of the reason for a difference. */
function Reason({ isHidden, value, error }: { isHidden: boolean; value: string; error: string | undefined }) {
  return (
    <div hidden={isHidden}>
      <TextArea
        id="drawer-reason"
        name="reason"
        label="Reason for the difference"
        rows={2}
        maxLength={MAX_REASON}
        hint="It stays with the drawer: name no customer"
        defaultValue={value}
        error={error}
      />
    </div>
  );
}

/** Sums of the day, with a word on less than nothing. */
function Sums(props: { drawer: CountProps["drawer"]; counted: number | null }) {
  return (
    <>
      <SumTable {...props} />
      {props.drawer.closed === null && props.drawer.expected < 0 && (
        <p className="soft">More cash has left than there was: see the expenses and what was paid back.</p>
      )}
    </>
  );
}

/** Float, cash and cards of the day; a difference once something is counted. */
function SumTable({ drawer, counted }: { drawer: CountProps["drawer"]; counted: number | null }) {
  const { floatCents, sums, cashExpensesCents, expected } = drawer;
  const cash = sums.find(({ mode }) => mode === "CASH");
  const others = sums.filter(({ mode }) => mode !== "CASH");
  // An earlier version closed it, and did not store them.
  const isSummed = floatCents + (cash?.amountCents ?? 0) - cashExpensesCents === expected;
  return (
    <table className="figures" aria-label="Drawer">
      <tbody>
        <SumRow label="Float" cents={floatCents} />
        {!isSummed && <SumRow label="Cash of the day" cents={expected - floatCents} />}
        {isSummed && (
          <SumRow
            label={cash ? `Cash payments (${cash.count})` : "Cash payments"}
            cents={cash?.amountCents ?? 0}
          />
        )}
        {isSummed && cashExpensesCents !== 0 && <SumRow label="Cash expenses" cents={-cashExpensesCents} />}
        <SumRow label="Expected" cents={expected} isTotal />
        {counted !== null && <SumRow label="Counted" cents={counted} />}
        {counted !== null && <SumRow label="Difference" cents={counted - expected} isTotal />}
        {others.map(({ mode, amountCents, count }) => (
          <SumRow key={mode} label={`${PAYMENT_NAMES[mode]} (${count})`} cents={amountCents} />
        ))}
      </tbody>
    </table>
  );
}

function SumRow({ label, cents, isTotal = false }: { label: string; cents: number; isTotal?: boolean }) {
  return (
    <tr className={isTotal ? "drawer-total" : undefined}>
      <th scope="row">{label}</th>
      <td className="num">{dollars(cents)}</td>
    </tr>
  );
}

/** Slip of a closed drawer, which prints on a roll of 80 mm. */
function Closed({ drawer, page }: CountProps) {
  const { business, businessNames, day, today } = page;
  const { closed, closedBy, opened, openedBy, reason, later, countedCents } = drawer;
  return (
    <section className="panel drawer-form drawer-slip" aria-labelledby="slip-title">
      <h2 id="slip-title">{`${businessName(business, businessNames)}, ${formatDay(day)}`}</h2>
      <Sums drawer={drawer} counted={countedCents} />
      {reason && <p>{`Difference: ${reason}`}</p>}
      <p className="soft">{`Opened ${opened} by ${openedBy}. Closed ${closed} by ${closedBy}.`}</p>
      {later.length > 0 && (
        <p className="soft">{`Since then${day === today ? "" : ", dated that day"}: ${amountsText(later)}.`}</p>
      )}
      <button type="button" className="btn needs-script no-print" onClick={() => window.print()}>
        <Icon name="printer" className="i s" />
        Print
      </button>
      {page.mayReopen && day === today && <Reopen drawer={drawer} page={page} />}
    </section>
  );
}

const amountsText = (amounts: CountProps["drawer"]["later"]) =>
  amounts.map(({ mode, amountCents }) => `${PAYMENT_NAMES[mode]} ${dollars(amountCents)}`).join(", ");

/** Form that opens a drawer of today again, folded. */
function Reopen({ drawer, page: { business } }: CountProps) {
  const { failure, value, error } = useRefusedForm();
  const problem = error("reason");
  return (
    <details className="no-print" open={problem !== undefined || Boolean(failure)}>
      <summary className="btn">Open it again</summary>
      <Form method="post" action={drawerUrl(business)} className="panel-form" replace noValidate>
        <input type="hidden" name="id" value={drawer.id} />
        <input type="hidden" name="businessType" value={business} />
        <input type="hidden" name="closedAt" value={drawer.closedAt ?? ""} />
        <TextArea
          id="drawer-reopen"
          name="reason"
          label="Why"
          rows={2}
          maxLength={MAX_REASON}
          hint="The audit log keeps it, with the count."
          defaultValue={value("reason")}
          error={problem}
        />
        <Failure failure={failure} />
        <button type="submit" name="intent" value="reopen" className="btn">
          Open again
        </button>
      </Form>
    </details>
  );
}
