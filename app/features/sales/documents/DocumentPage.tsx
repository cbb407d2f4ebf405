import { useLocation } from "@remix-run/react";
import { PAYMENT_NAMES } from "~/domain/enums";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { ObjectHistory } from "~/features/audit/ObjectHistory";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { ScrollBox } from "~/ui/ScrollBox";
import { useShortcuts } from "~/ui/shortcuts";
import { correctUrl, documentPath } from "../urls";
import { CreditDialog } from "./CreditDialog";
import { DocumentSheet } from "./DocumentSheet";
import { MailReceiptForm } from "./MailReceiptForm";
import type { HistoryEntry, DocumentPage as Page } from "./page.server";

/** Page of a sale or credit note: its sheet, payments, rows in the ledger, history and chat. */
export function DocumentPage({ page }: { page: Page }) {
  const params = new URLSearchParams(useLocation().search);
  const { document, creditId } = page;
  useShortcuts({ p: () => press("print"), c: () => press("credit") });
  const isCrediting = params.has("credit") && page.leftToCredit && creditId !== null;
  return (
    <>
      <Actions page={page} />
      <div className="record-page">
        <div className="record-main">
          <DocumentSheet page={page} />
          <Payments page={page} />
          {page.rows && <LedgerRows page={page} rows={page.rows} />}
        </div>
        <div className="record-side">
          <MailReceiptForm email={page.email} mailId={page.mailId} />
          <History entries={page.history} />
          <Chat page={page} />
          <ObjectHistory id={document.id} changes={page.changes} className="panel" />
        </div>
      </div>
      {isCrediting && <CreditDialog key={document.id} page={page} creditId={creditId} />}
    </>
  );
}

function press(action: "print" | "credit") {
  document.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click();
}

function Actions({ page: { document, leftToCredit } }: { page: Page }) {
  const file = `/receipts/${encodeURIComponent(document.id)}`;
  return (
    <div className="record-actions">
      <a className="btn" href={localTo(file)}>
        <Icon name="receipt-text" className="i s" />
        Receipt
      </a>
      <a className="btn" href={localTo(`${file}.pdf`)} target="_blank" rel="noreferrer" data-action="print">
        <Icon name="printer" className="i s" />
        Print
      </a>
      <a className="btn" href={localTo(`${file}.pdf`)} download={`${document.number}.pdf`}>
        <Icon name="file-down" className="i s" />
        PDF
      </a>
      {leftToCredit && (
        <Link className="btn" to={correctUrl(document.id)}>
          <Icon name="pencil" className="i s" />
          Correct price or item
        </Link>
      )}
      {leftToCredit && (
        <Link className="btn" to="?credit=1" preventScrollReset data-action="credit">
          <Icon name="undo-2" className="i s" />
          Credit…
        </Link>
      )}
      {document.kind === "sale" && !leftToCredit && <span className="state-label">Voided</span>}
    </div>
  );
}

function Payments({ page: { payments } }: { page: Page }) {
  const kept = payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return (
    <section className="panel record-table" aria-labelledby="payments-title">
      <header>
        <h2 id="payments-title">Payments and credits</h2>
      </header>
      <ScrollBox label="Payments, scrolls" className="scroll-x">
        <table className="small-table folded-rows">
          <PaymentsHead />
          <tbody>
            {payments.map(({ key, id, label, receipt, at, paymentMode, createdBy, amountCents }) => (
              <tr key={key}>
                <td className="nowrap">{at}</td>
                <td className="what">
                  <PaymentLabel id={id} receipt={receipt}>
                    {label}
                  </PaymentLabel>
                </td>
                <td>{PAYMENT_NAMES[paymentMode]}</td>
                <td>{createdBy}</td>
                <td className="num">{dollars(amountCents)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={4}>
                {payments.some(({ id }) => id !== null) ? "Kept, after credits" : "Sum"}
              </th>
              <td className="num">{dollars(kept)}</td>
            </tr>
          </tfoot>
        </table>
      </ScrollBox>
    </section>
  );
}

function PaymentsHead() {
  return (
    <thead>
      <tr>
        <th scope="col">When</th>
        <th scope="col">What</th>
        <th scope="col">Mode</th>
        <th scope="col">By</th>
        <th scope="col" className="num">
          Amount
        </th>
      </tr>
    </thead>
  );
}

interface PaymentLabelProps {
  /** Credit note that paid it back. */
  id: string | null;
  /** Path of a deposit's receipt. */
  receipt: string | null;
  children: string;
}

/** Label of a payment, which leads to its credit note or receipt. */
function PaymentLabel({ id, receipt, children }: PaymentLabelProps) {
  const to = id === null ? receipt : documentPath(id);
  if (to === null) return children;
  return (
    <Link className="quiet-link" to={to}>
      {children}
    </Link>
  );
}

interface LedgerRowsProps {
  page: Page;
  rows: NonNullable<Page["rows"]>;
}

function LedgerRows({ page, rows }: LedgerRowsProps) {
  const { document, ledgerUrl } = page;
  const sum = rows.reduce((total, { amountCents }) => total + amountCents, 0);
  const isEqual = sum === document.totalCents;
  const isDivided = new Set(rows.map(({ paymentMode }) => paymentMode)).size > 1;
  return (
    <section className="panel record-table" aria-labelledby="ledger-rows-title">
      <header>
        <h2 id="ledger-rows-title">In the books</h2>
        <Link className="quiet-link sum" to={ledgerUrl}>
          {counted(rows.length, "line")}
        </Link>
      </header>
      <table className="small-table folded-rows">
        <LedgerHead isDivided={isDivided} />
        <tbody>
          {rows.map(({ id, description, category, paymentMode, amountCents }) => (
            <tr key={id}>
              <td className="what">{description}</td>
              <td>{category}</td>
              {isDivided && <td>{PAYMENT_NAMES[paymentMode]}</td>}
              <td className="num">{dollars(amountCents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={isDivided ? 3 : 2}>
              {isEqual ? "Sum, as on the document" : `Sum; the document says ${dollars(document.totalCents)}`}
            </th>
            <td className="num">{dollars(sum)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** Heads of the rows in the books. @param props.isDivided they have several payment modes */
function LedgerHead({ isDivided }: { isDivided: boolean }) {
  return (
    <thead className="visually-hidden">
      <tr>
        <th scope="col">Line</th>
        <th scope="col">Category</th>
        {isDivided && <th scope="col">Mode</th>}
        <th scope="col">Amount</th>
      </tr>
    </thead>
  );
}

function History({ entries }: { entries: HistoryEntry[] }) {
  return (
    <section className="panel" aria-labelledby="history-title">
      <header>
        <h2 id="history-title">History</h2>
      </header>
      <ol className="record-history">
        {entries.map(({ id, at, text, links }) => (
          <li key={id}>
            <time>{at}</time>
            <span>
              {text}
              {links.map(({ to, number }) => (
                <span key={to}>
                  {" "}
                  <Link className="quiet-link" to={to}>
                    {number}
                  </Link>
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Chat({ page: { chat, document } }: { page: Page }) {
  if (!document.chatId) return null;
  return (
    <section className="panel" aria-labelledby="chat-title">
      <header>
        <h2 id="chat-title">Chat</h2>
        {chat && (
          <Link className="quiet-link sum" to={`/admin/chat?chat=${encodeURIComponent(chat.id)}`}>
            Open
          </Link>
        )}
      </header>
      <p className="record-chat">
        {chat ? (
          <>
            <b>{chat.userName || "Visitor"}</b>
            <span>{chat.lastMessage}</span>
          </>
        ) : (
          <span className="soft">This chat was deleted.</span>
        )}
      </p>
    </section>
  );
}
