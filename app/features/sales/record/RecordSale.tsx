import { useEffect, useMemo, useRef, useState } from "react";
import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import { businessName, PAYMENT_MODES, PAYMENT_NAMES, type PaymentMode } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { consoleUrl } from "~/features/chat/console-params";
import { storeDraft, storedDraft } from "~/ui/drafts";
import { Field, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { Link } from "~/ui/navigation";
import { PaymentParts, partsProblem, usePaymentParts } from "../PaymentParts";
import { draftTender, PART_FIELDS, type PaymentPart, paidCents } from "../payments";
import { DOCUMENTS_PATH, recordUrl } from "../urls";
import { AddLine } from "./AddLine";
import { type BusinessTotals, type DraftLine, sumLabel, totalsOf } from "./draft";
import { LinesForm } from "./LinesForm";
import type { RecordSaleData } from "./page.server";
import { SaleLines } from "./SaleLines";
import { useKeptSale } from "./useKeptSale";
import { fieldProblem, useLinesForm, withProducts } from "./useLinesForm";

const ICONS: Record<PaymentMode, IconName> = { CASH: "banknote", CARD: "credit-card", EMT: "send" };

/** State of the form: what was typed, its lines, payment and totals. */
function useRecordSale(data: RecordSaleData) {
  const { answer, value, draft, id, search } = useLinesForm(data);
  const [paymentMode, setPaymentMode] = useLastMode(
    paymentModeOf(value("paymentMode", "CASH")),
    answer === undefined,
  );
  const { chat, holdId, quote, customerId, customerName, day } = data;
  const proposed = useMemo(() => ({ ...NO_PARTS, customerName, createdAt: day }), [customerName, day]);
  const url = recordUrl({ chatId: chat?.id, holdId, quoteId: quote?.id, customerId });
  const { proposedLines } = data;
  const kept = useKeptSale({
    name: url,
    url,
    proposedLines,
    proposed,
    ...draft,
    isNew: answer === undefined,
  });
  const initial = Object.fromEntries(Object.keys(NO_PARTS).map((name) => [name, value(name, "")]));
  const split = { initial, ...usePaymentParts(initial, kept.isRestored) };
  const deposits = depositsOf(data, draft.lines);
  const totals = totalsOf(draft.lines, data.rules, draftTender(split.parts, paymentMode), deposits);
  const form = { answer, value, draft, search, paymentMode, setPaymentMode, split, id };
  return { ...form, ...totals, deposits, url, kept };
}

/** Returns the deposits of the quote, which count where the sale has a line of it. */
const depositsOf = ({ deposits }: RecordSaleData, lines: DraftLine[]): PaymentPart[] =>
  lines.some(({ from }) => from.split(" ").includes("quote")) ? deposits : [];

/** Empty fields of the parts. */
const NO_PARTS: Record<string, string> = Object.fromEntries(
  Object.values(PART_FIELDS).map((name) => [name, ""]),
);

/** Draft that holds the payment mode of this device's last sale. */
const LAST_MODE = "payment-mode";

/** Payment mode of the form, at first that of the last sale on this device. @param isNew false after an answer */
function useLastMode(initial: PaymentMode, isNew: boolean) {
  const [mode, setMode] = useState(initial);
  const isFirst = useRef(isNew);
  useEffect(() => {
    const stored = storedDraft(LAST_MODE);
    const chosen = document.querySelector<HTMLInputElement>("input[name=paymentMode]:checked")?.value;
    if (isFirst.current && stored && chosen === initial) setMode(paymentModeOf(stored));
    else if (chosen) setMode(paymentModeOf(chosen));
  }, [initial]);
  const set = (next: PaymentMode) => {
    setMode(next);
    storeDraft(LAST_MODE, next);
  };
  return [mode, set] as const;
}

/** Form that records a sale: lines, payment and totals of each business on one page. */
export function RecordSale({ data }: { data: RecordSaleData }) {
  const sale = useRecordSale(data);
  const { answer, draft, search, totals, deposits } = sale;
  const { chat, holdId, quote, customerId, shopName } = data;
  const totalCents = totals.reduce((sum, each) => sum + each.totalCents, 0);
  const total = sumLabel(draft.lines, Math.max(0, totalCents - paidCents(deposits)));
  const isPartly = deposits.length > 0;
  return (
    <LinesForm
      title="Record sale"
      note={<SaleNote data={data} />}
      action={withProducts(sale.url, draft.lines)}
      back={chat ? consoleUrl({ chat: chat.id }) : DOCUMENTS_PATH}
      answer={answer}
      isLookingUp={search.lookUps.pending.length > 0}
      fields={{ id: sale.id, chatId: chat?.id, holdId, quoteId: quote?.id, customerId }}
      intent="record"
      submit="Record sale"
      busy="Recording..."
      amount={<span className="sale-amount">{isPartly ? `${total} now` : total}</span>}
    >
      <OpenQuoteNote {...data} />
      <KeptNote {...sale.kept} />
      <SaleLines {...draft} problem={fieldProblem(answer, "lines")} shopName={shopName} />
      <AddLine {...search} {...draft} />
      <div className="sale-end">
        <PaymentFields data={data} sale={sale} />
        <SaleTotals {...sale} total={total} shopName={shopName} />
      </div>
    </LinesForm>
  );
}

/** Says that a kept sale is shown, and clears it. */
function KeptNote({ isRestored, clear }: ReturnType<typeof useKeptSale>) {
  return (
    <p className="hint sale-back" hidden={!isRestored} role="status">
      The sale that you began is back.{" "}
      <button
        type="button"
        className="link"
        onClick={({ currentTarget: { form } }) => {
          clear();
          // The button goes: keys would act on the page.
          form?.querySelector<HTMLInputElement>("[name=find]")?.focus();
        }}
      >
        Clear it
      </button>
    </p>
  );
}

function SaleNote({ data: { chat, holdId, quote } }: { data: RecordSaleData }) {
  return (
    <>
      {chat ? chat.name : "At the counter"}
      {quote && `, quote “${quote.title}”`}
      {holdId && ". The hold ends with this sale."}
    </>
  );
}

/** Says that a quote of the conversation waits for an answer: this sale leaves it open. */
function OpenQuoteNote({ chat, openQuote }: Pick<RecordSaleData, "chat" | "openQuote">) {
  if (!chat || !openQuote) return null;
  return (
    <p className="hint">
      The customer has not answered the quote{" "}
      <Link to={`${consoleUrl({ chat: chat.id })}#quote-${openQuote.id}`}>
        {`“${openQuote.title}”, ${dollars(openQuote.totalCents)}`}
      </Link>
      .
    </p>
  );
}

interface PaymentFieldsProps {
  data: RecordSaleData;
  sale: ReturnType<typeof useRecordSale>;
}

function PaymentFields({ data, sale }: PaymentFieldsProps) {
  const { answer, value, paymentMode, setPaymentMode, split } = sale;
  return (
    <div className="sale-fields">
      <PaymentMethod
        value={paymentMode}
        onChange={setPaymentMode}
        error={fieldProblem(answer, "paymentMode")}
      />
      <PaymentParts
        id="sale-paid"
        {...split}
        rest={paymentMode}
        error={partsProblem(answer?.lastResult?.error)}
      />
      <Field
        id="sale-day"
        label="Date"
        name="createdAt"
        type="date"
        min={FIRST_DAY}
        max={LAST_DAY}
        defaultValue={value("createdAt", data.day)}
        error={fieldProblem(answer, "createdAt")}
      />
      <Field
        id="sale-name"
        label="Name on the receipt"
        name="customerName"
        maxLength={100}
        autoComplete="off"
        defaultValue={value("customerName", data.customerName)}
        error={fieldProblem(answer, "customerName")}
      />
    </div>
  );
}

const paymentModeOf = (text: string): PaymentMode => PAYMENT_MODES.find((mode) => mode === text) ?? "CASH";

interface PaymentMethodProps {
  value: PaymentMode;
  onChange: (mode: PaymentMode) => void;
  error: string | undefined;
}

function PaymentMethod({ value, onChange, error }: PaymentMethodProps) {
  return (
    <fieldset className="field sale-wide" aria-describedby={error ? "sale-payment-error" : undefined}>
      <legend>Payment mode</legend>
      <div className="segments">
        {PAYMENT_MODES.map((mode) => (
          <label key={mode}>
            <input
              type="radio"
              name="paymentMode"
              value={mode}
              checked={mode === value}
              onChange={() => onChange(mode)}
            />
            <Icon name={ICONS[mode]} className="i s" />
            {PAYMENT_NAMES[mode]}
          </label>
        ))}
      </div>
      <FieldNotes id="sale-payment" error={error} />
    </fieldset>
  );
}

interface SaleTotalsProps {
  totals: BusinessTotals[];
  /** Paid before, by mode. */
  deposits: PaymentPart[];
  /** Deposits beyond the total. */
  overpaidCents: number;
  /** Amounts by mode. */
  paid: PaymentPart[];
  total: string;
  shopName: string;
}

const signed = (cents: number) => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

/** Totals of a sale in a column for each business, since each makes a document of its own. */
function SaleTotals({ totals, deposits, overpaidCents, paid, total, shopName }: SaleTotalsProps) {
  return (
    <div>
      <table className="sale-totals" aria-label="Totals">
        {totals.length > 0 && (
          <>
            <thead>
              <tr>
                <td />
                {totals.map(({ business }) => (
                  <th key={business} scope="col">
                    {businessName(business, shopName)}
                  </th>
                ))}
              </tr>
            </thead>
            <Rows totals={totals} hasCash={paid.some(({ mode }) => mode === "CASH")} />
          </>
        )}
        <Due totals={totals} deposits={deposits} paid={paid} total={total} />
      </table>
      {overpaidCents > 0 && (
        <p className="error">{`The deposit is ${dollars(overpaidCents)} more than this sale. Pay it back first.`}</p>
      )}
      <noscript>
        <button type="submit" name="edit" value="none" className="btn">
          Update totals
        </button>
      </noscript>
    </div>
  );
}

/** Documents with what was paid before and is paid now, and what is left to collect. */
function Due({
  totals,
  deposits,
  paid,
  total,
}: Pick<SaleTotalsProps, "totals" | "deposits" | "paid" | "total">) {
  const columns = Math.max(1, totals.length);
  const isSummed = totals.length > 1 || (totals.length === 1 && deposits.length > 0);
  return (
    <tfoot>
      {isSummed && (
        <Row
          title={totals.length > 1 ? "Two documents" : "Document"}
          totals={totals}
          cell={({ totalCents }) => dollars(totalCents)}
        />
      )}
      <PaidRows paid={deposits} columns={columns} isDeposit />
      {paid.length > 1 && <PaidRows paid={paid} columns={columns} />}
      <tr className="sale-due">
        <th scope="row">To collect</th>
        <td colSpan={columns}>{total}</td>
      </tr>
    </tfoot>
  );
}

interface PaidRowsProps {
  paid: PaymentPart[];
  columns: number;
  /** Deposits, which were paid before. */
  isDeposit?: boolean;
}

/** Amount of each mode. */
function PaidRows({ paid, columns, isDeposit = false }: PaidRowsProps) {
  return paid.map(({ mode, amountCents }) => (
    <tr key={mode}>
      <th scope="row">{isDeposit ? `Deposit, ${PAYMENT_NAMES[mode]}` : PAYMENT_NAMES[mode]}</th>
      <td colSpan={columns}>{dollars(isDeposit ? -amountCents : amountCents)}</td>
    </tr>
  ));
}

/** Lines, tax and rounding. */
function Rows({ totals, hasCash }: Pick<SaleTotalsProps, "totals"> & { hasCash: boolean }) {
  const taxed = totals.filter(({ rules }) => rules.number !== "");
  return (
    <tbody>
      <Row title="Lines" totals={totals} cell={({ linesCents }) => dollars(linesCents)} />
      {taxed.length > 0 && (
        <Row
          title={taxTitle(taxed)}
          totals={totals}
          cell={({ rules, taxCents }) => (rules.number ? dollars(taxCents) : "no tax")}
        />
      )}
      {hasCash && (
        <Row title="Rounding, cash" totals={totals} cell={({ roundingCents }) => signed(roundingCents)} />
      )}
    </tbody>
  );
}

/** Names the tax, with its rate where all businesses have the same. */
function taxTitle(taxed: BusinessTotals[]): string {
  const titles = taxed.map(
    ({ rules }) => `${rules.name} ${rules.rate / 100}%, ${rules.isIncluded ? "included" : "added"}`,
  );
  return new Set(titles).size === 1 ? (titles[0] ?? "") : "Tax";
}

interface RowProps {
  title: string;
  totals: BusinessTotals[];
  cell: (totals: BusinessTotals) => string;
}

function Row({ title, totals, cell }: RowProps) {
  return (
    <tr>
      <th scope="row">{title}</th>
      {totals.map((each) => (
        <td key={each.business}>{cell(each)}</td>
      ))}
    </tr>
  );
}
