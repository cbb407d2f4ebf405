import { Form, Link, useActionData, useNavigation } from "@remix-run/react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { consoleUrl } from "~/features/chat/console/params";
import { PAYMENT_MODES, PAYMENT_NAMES, type PaymentMode } from "~/features/ledger/enums";
import { Field, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { dollars } from "~/ui/money";
import { AddLine } from "./AddLine";
import { type DraftLine, type SaleProduct, totalsOf } from "./draft";
import type { EditedSale } from "./forms.server";
import type { RecordSaleData } from "./page.server";
import { fieldProblem, type SaleAnswer } from "./problems";
import { SaleLines } from "./SaleLines";
import { SaleTotals } from "./SaleTotals";
import { useSaleLines } from "./useSaleLines";

/** Answer of the action: errors, or the form after a button of its lines (without JavaScript). */
type Answer = SaleAnswer & { page?: EditedSale };

const ICONS: Record<PaymentMode, IconName> = { CASH: "banknote", CARD: "credit-card", EMT: "send" };

/** Returns a field as it was typed, else as the page fills it. */
type TypedValue = (name: string, initial: string) => string;

/** State of the form: what was typed, its lines, payment and totals. */
function useRecordSale(data: RecordSaleData) {
  const answer = useActionData() as Answer | undefined;
  const typed = answer?.page?.fields ?? answer?.lastResult?.initialValue ?? {};
  const value: TypedValue = (name, initial) => {
    const text = typed[name];
    return typeof text === "string" ? text : initial;
  };
  const draft = useSaleLines(typedLines(answer, data), productsOf(answer, data), answer);
  const [paymentMode, setPaymentMode] = useState(() => paymentModeOf(value("paymentMode", "CASH")));
  // The same id when the form is sent again after an error.
  const [id] = useState(() => value("id", data.id));
  const totals = totalsOf(draft.lines, data.rules, paymentMode);
  return { answer, value, draft, paymentMode, setPaymentMode, id, totals };
}

/** Form that records a sale: lines, payment and totals of each business on one page. */
export function RecordSale({ data }: { data: RecordSaleData }) {
  const sale = useRecordSale(data);
  const { answer, draft, totals } = sale;
  const form = useRef<HTMLFormElement>(null);
  useFocusOnProblem(form, answer);
  const back = data.chat ? consoleUrl({ chat: data.chat.id }) : "/admin/invoices-management";
  const totalCents = totals.reduce((sum, document) => sum + document.totalCents, 0);
  return (
    <Form
      ref={form}
      method="post"
      action={actionUrl(data, draft.lines)}
      className="panel sale-form"
      aria-labelledby="sale-title"
      noValidate
      replace
      preventScrollReset
      onKeyDown={recordByKey}
      onSubmit={ignoreEdits}
    >
      <HiddenFields id={sale.id} data={data} />
      <SaleHead data={data} back={back} />
      <SaleLines {...draft} shopName={data.shopName} />
      <AddLine found={answer?.page?.found ?? null} find={answer?.page?.find ?? ""} {...draft} />
      <div className="sale-end">
        <PaymentFields data={data} sale={sale} />
        <SaleTotals
          totals={totals}
          totalCents={totalCents}
          shopName={data.shopName}
          isCash={sale.paymentMode === "CASH"}
        />
      </div>
      <SaleFoot failure={answer?.failure} totalCents={totalCents} back={back} />
    </Form>
  );
}

function HiddenFields({ id, data: { chat, holdId, quote } }: { id: string; data: RecordSaleData }) {
  const fields = { id, chatId: chat?.id, holdId, quoteId: quote?.id };
  return (
    <>
      {Object.entries(fields).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <noscript>
        {/* Enter in a field presses the first button. */}
        <button type="submit" name="edit" value="none" className="visually-hidden" tabIndex={-1}>
          Update totals
        </button>
      </noscript>
    </>
  );
}

interface PaymentFieldsProps {
  data: RecordSaleData;
  sale: ReturnType<typeof useRecordSale>;
}

function PaymentFields({ data, sale }: PaymentFieldsProps) {
  const { answer, value, paymentMode, setPaymentMode } = sale;
  return (
    <div className="sale-fields">
      <PaymentMethod
        value={paymentMode}
        onChange={setPaymentMode}
        error={fieldProblem(answer, "paymentMode")}
      />
      <Field
        id="sale-day"
        label="Date"
        name="createdAt"
        type="date"
        min="2000-01-01"
        max="2099-12-31"
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

interface SaleFootProps {
  failure: string | null | undefined;
  totalCents: number;
  back: string;
}

function SaleFoot({ failure, totalCents, back }: SaleFootProps) {
  const isBusy = useNavigation().formData?.get("intent") === "record";
  return (
    <footer className="sale-foot">
      <p className="error grow" role="status">
        {failure && (
          <>
            <Icon name="circle-alert" className="i s" /> {failure}
          </>
        )}
      </p>
      <span className="soft needs-script wide">
        <kbd>Ctrl</kbd> <kbd>Enter</kbd>
      </span>
      <Link className="btn" to={back}>
        Cancel
      </Link>
      <button
        type="submit"
        name="intent"
        value="record"
        className="btn primary"
        disabled={isBusy}
        aria-busy={isBusy || undefined}
      >
        {isBusy ? "Recording..." : "Record sale"}
        <span className="sale-amount">{dollars(totalCents)}</span>
      </button>
    </footer>
  );
}

/** Returns the lines as they were typed, else those of the page. */
function typedLines(answer: Answer | undefined, data: RecordSaleData): DraftLine[] {
  const sent = answer?.page?.lines ?? answer?.lastResult?.initialValue?.lines;
  return Array.isArray(sent) ? (sent as DraftLine[]) : data.lines;
}

const productsOf = (answer: Answer | undefined, data: RecordSaleData): SaleProduct[] => [
  ...data.products,
  ...(answer?.page?.products ?? []),
];

const paymentModeOf = (text: string): PaymentMode => PAYMENT_MODES.find((mode) => mode === text) ?? "CASH";

/** Builds the address of the form, which names the products of its lines: an answer shows their stock. */
function actionUrl({ chat, holdId, quote }: RecordSaleData, lines: DraftLine[]): string {
  const products = [...new Set(lines.map(({ productId }) => productId))].filter(Boolean).join();
  const named = { chat: chat?.id, hold: holdId, quote: quote?.id, products };
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) if (value) params.set(name, value);
  return `/admin/sales/new?${params}`;
}

/** Moves the focus to the first field that an answer rejects. */
function useFocusOnProblem(form: { current: HTMLFormElement | null }, answer: Answer | undefined): void {
  useEffect(() => {
    if (!answer?.failure) return;
    const field = form.current?.querySelector<HTMLInputElement>("[aria-invalid=true]");
    field?.focus();
    field?.select?.();
  }, [form, answer]);
}

function recordByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter") return;
  const isField = (event.target as HTMLElement).matches("input, select");
  if (isField) event.preventDefault();
  if (!(event.ctrlKey || event.metaKey)) return;
  const button = event.currentTarget.querySelector<HTMLButtonElement>("button[name=intent]:enabled");
  if (button) event.currentTarget.requestSubmit(button);
}

/** Stops the buttons of lines, which the script has handled. */
function ignoreEdits(event: FormEvent): void {
  const { submitter } = event.nativeEvent as SubmitEvent;
  if (submitter?.getAttribute("name") !== "intent") event.preventDefault();
}

function SaleHead({ data, back }: { data: RecordSaleData; back: string }) {
  const { chat, quote, holdId } = data;
  return (
    <header className="sale-head">
      <div className="grow">
        <h2 id="sale-title">Record sale</h2>
        <p>
          {chat ? `Chat with ${chat.name}` : "At the counter"}
          {holdId && ", ends its hold"}
          {quote && `, quote “${quote.title}”`}
        </p>
      </div>
      <Link className="tool-button" to={back} aria-label="Close">
        <Icon name="x" />
      </Link>
    </header>
  );
}

interface PaymentMethodProps {
  value: PaymentMode;
  onChange: (mode: PaymentMode) => void;
  error: string | undefined;
}

function PaymentMethod({ value, onChange, error }: PaymentMethodProps) {
  return (
    <fieldset className="field sale-payment" aria-describedby={error ? "sale-payment-error" : undefined}>
      <legend>Payment mode</legend>
      <div className="segments">
        {(["CASH", "CARD", "EMT"] as const).map((mode) => (
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
