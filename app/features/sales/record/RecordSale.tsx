import { type FormEvent, Fragment, useEffect, useMemo, useRef, useState } from "react";
import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import type { PaymentMode } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { consoleUrl } from "~/features/chat/console-params";
import { ClosedActs } from "~/ui/ClosedActs";
import { storeDraft, storedDraft } from "~/ui/drafts";
import { Field } from "~/ui/Field";
import { useLatest } from "~/ui/latest";
import { Link } from "~/ui/navigation";
import { closeLinkedResult } from "~/ui/ResultToasts";
import { useCashStep } from "~/ui/shop-numbers";
import { parseDiscount } from "../discount";
import { usePaymentParts } from "../PaymentParts";
import { cashOf, draftTender, PART_FIELDS, type PaymentPart, paidCents } from "../payments";
import { DOCUMENTS_PATH, documentPath, drawerUrl, recordUrl } from "../urls";
import { AddLine } from "./AddLine";
import { CashReceived } from "./CashReceived";
import { CustomerChoice, useCustomerChoice } from "./CustomerChoice";
import { NO_CUSTOMER } from "./customer-edits";
import { type DraftLine, sumLabel, totalsOf } from "./draft";
import { LinesForm, useList } from "./LinesForm";
import { PaymentChoice, paymentModeOf } from "./PaymentMethod";
import type { RecordSaleData } from "./page.server";
import { SaleLines } from "./SaleLines";
import { SaleTotals } from "./SaleTotals";
import { nextId, useKeptSale } from "./useKeptSale";
import { fieldProblem, type LineFormAnswer, useLinesForm, withProducts } from "./useLinesForm";

/** State of the form: what was typed, its lines, payment and totals. */
function useRecordSale(data: RecordSaleData) {
  const { answer, value, draft, id, setId, search } = useLinesForm(data);
  const [paymentMode, setPaymentMode] = useLastMode(
    paymentModeOf(value("paymentMode", "CASH")),
    answer === undefined,
  );
  const { proposed, proposedChoice } = useProposed(data);
  const { chat, holdId, quote, customerId, proposedLines } = data;
  useNextSale(draft.lines.length, () => setId(nextId(id)));
  const source = { chatId: chat?.id, holdId, quoteId: quote?.id, customerId };
  const url = recordUrl({ ...source, from: useList() });
  const customer = useCustomerChoice({ answer, value }, proposedChoice);
  const kept = useKeptSale({
    name: `${recordUrl(source)}-${data.userId}`,
    url,
    ...{ id, setId },
    proposedLines,
    proposed,
    ...draft,
    ...{ proposedChoice, choice: customer.chosen, choose: customer.restore },
    isNew: answer === undefined,
  });
  const initial = Object.fromEntries(Object.keys(NO_PARTS).map((name) => [name, value(name, "")]));
  const split = { initial, ...usePaymentParts(initial, kept.isRestored) };
  const deposits = depositsOf(data, draft.lines);
  const discount = useTypedText("discount", value("discount", ""), kept.isRestored);
  const received = useTypedText("cashReceived", value("cashReceived", ""), kept.isRestored);
  const totals = totalsOf(
    draft.lines,
    data.rules,
    draftTender(split.parts, paymentMode, useCashStep()),
    { parts: deposits, business: data.depositBusiness },
    parseDiscount(discount.text) ?? undefined,
  );
  const form = { answer, value, draft, search, customer, id };
  const payment = { paymentMode, setPaymentMode, split, discount, received };
  return { ...form, ...payment, ...totals, deposits, url, kept };
}

/**
 * Closes the result of the sale before, which covers the sums, when the first line of the next one is added. Calls `renew` when
 * the last line is removed: what follows is another sale.
 */
function useNextSale(lines: number, renew: () => void) {
  const before = useRef(lines);
  const latest = useLatest(renew);
  useEffect(() => {
    if (before.current === 0 && lines > 0) closeLinkedResult();
    if (before.current > 0 && lines === 0) latest.current();
    before.current = lines;
  }, [lines, latest]);
}

/** Values of the fields beside the lines, as the page proposes them. */
function useProposed({ customerId, customerName, day }: RecordSaleData) {
  const proposed = useMemo(
    () => ({
      ...NO_PARTS,
      ...{ discount: "", cashReceived: "", customerEmail: "" },
      ...{ customerName, createdAt: day },
    }),
    [customerName, day],
  );
  const chosen = customerId ? { customerId, customerLabel: customerName } : {};
  return { proposed, proposedChoice: { ...NO_CUSTOMER, ...chosen } };
}

/** Holds what is typed into a field, also before hydration and by a kept form. @param version as of `usePaymentParts` */
function useTypedText(name: string, initial: string, version: unknown) {
  const [text, setText] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the field again for each version
  useEffect(() => {
    const input = document.getElementsByName(name)[0];
    if (input instanceof HTMLInputElement) setText(input.value);
  }, [name, version]);
  return {
    initial,
    text,
    onInput: ({ target }: FormEvent<HTMLInputElement>) => setText((target as HTMLInputElement).value),
  };
}

/** Returns the deposits of the quote, which count where the sale has a line of it. */
const depositsOf = ({ deposits }: RecordSaleData, lines: DraftLine[]): PaymentPart[] =>
  lines.some(({ from }) => from.split(" ").includes("quote")) ? deposits : [];

/** Empty fields of the parts. */
export const NO_PARTS: Record<string, string> = Object.fromEntries(
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
  const { chat, holdId, quote, businessNames } = data;
  // At the counter the choice has it.
  const customerId = chat ? data.customerId : null;
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
      <LastSale last={data.last} />
      <OpenQuoteNote {...data} />
      <KeptNote {...sale.kept} />
      <SaleLines {...draft} problem={fieldProblem(answer, "lines")} businessNames={businessNames} />
      <AddLine {...search} {...draft} />
      <div className="sale-end till-end">
        <PaymentFields data={data} sale={sale} />
        <SaleTotals {...sale} received={sale.received.text} total={total} businessNames={businessNames} />
      </div>
    </LinesForm>
  );
}

/** Line of the sale that was recorded before this one. */
function LastSale({ last }: Pick<RecordSaleData, "last">) {
  if (!last) return null;
  return (
    <p className="hint sale-back">
      {`Last sale: ${dollars(last.totalCents)}`}
      {last.documents.map(({ id, number }) => (
        <Fragment key={id}>
          {", "}
          <Link to={documentPath(id)}>{number}</Link>
        </Fragment>
      ))}
    </p>
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
      {!chat && (
        <Link className="quiet-link sale-drawer" to={drawerUrl()}>
          Drawer
        </Link>
      )}
      {quote && `, quote “${quote.title}”`}
      {holdId && ". The hold ends with this sale."}
    </>
  );
}

/** Says that a quote of the conversation waits for an answer: this sale leaves it open. */
function OpenQuoteNote({ chat, openQuote }: Pick<RecordSaleData, "chat" | "openQuote">) {
  if (!chat || !openQuote) return null;
  return (
    <p className="hint sale-back">
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
  const { answer, value } = sale;
  return (
    <div className="sale-fields">
      {!data.chat && <CustomerChoice form={sale} customer={sale.customer} />}
      <PaymentChoice id="sale-paid" form={sale}>
        <CashReceived answer={answer} received={sale.received} cashCents={cashOf(sale.paid)} />
      </PaymentChoice>
      <input type="hidden" name="openedOn" value={value("openedOn", data.day)} />
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
      <ClosedActs id="sale-day" error={fieldProblem(answer, "createdAt")} />
      <DiscountField answer={answer} discount={sale.discount} />
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

/** Field of the discount that is spread over all lines. */
function DiscountField({ answer, discount }: Pick<ReturnType<typeof useRecordSale>, "answer" | "discount">) {
  return (
    <Field
      id="sale-discount"
      label="Discount on all lines"
      name="discount"
      maxLength={20}
      placeholder="10% or 5.00"
      autoComplete="off"
      defaultValue={discount.initial}
      onInput={discount.onInput}
      error={discountError(answer)}
    />
  );
}

/** Finds the error of the discount on all lines, or of its percentage or amount. */
const discountError = (answer: LineFormAnswer | undefined): string | undefined =>
  ["discount", "discount.percent", "discount.amount"].flatMap((name) => fieldProblem(answer, name) ?? [])[0];
