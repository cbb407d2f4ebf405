import { useState } from "react";
import { consoleUrl } from "~/features/chat/console/params";
import { PAYMENT_MODES, PAYMENT_NAMES, type PaymentMode } from "~/features/ledger/enums";
import { Field, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import type { IconName } from "~/ui/icons";
import { dollars } from "~/ui/money";
import { recordUrl } from "../cards/urls";
import { AddLine } from "./AddLine";
import { totalsOf } from "./draft";
import { LinesForm } from "./form-parts";
import type { RecordSaleData } from "./page.server";
import { fieldProblem } from "./problems";
import { SaleLines } from "./SaleLines";
import { SaleTotals } from "./SaleTotals";
import { useLinesForm, withProducts } from "./useLinesForm";

const ICONS: Record<PaymentMode, IconName> = { CASH: "banknote", CARD: "credit-card", EMT: "send" };

/** State of the form: what was typed, its lines, payment and totals. */
function useRecordSale(data: RecordSaleData) {
  const { answer, value, draft, id, search } = useLinesForm(data);
  const [paymentMode, setPaymentMode] = useState(() => paymentModeOf(value("paymentMode", "CASH")));
  const totals = totalsOf(draft.lines, data.rules, paymentMode);
  return { answer, value, draft, search, paymentMode, setPaymentMode, id, totals };
}

/** Form that records a sale: lines, payment and totals of each business on one page. */
export function RecordSale({ data }: { data: RecordSaleData }) {
  const sale = useRecordSale(data);
  const { answer, draft, search, totals } = sale;
  const { chat, holdId, quote, customerId, shopName } = data;
  const totalCents = totals.reduce((sum, document) => sum + document.totalCents, 0);
  const isCash = sale.paymentMode === "CASH";
  const url = recordUrl({ chatId: chat?.id, holdId, quoteId: quote?.id, customerId });
  return (
    <LinesForm
      title="Record sale"
      note={<SaleNote data={data} />}
      action={withProducts(url, draft.lines)}
      back={chat ? consoleUrl({ chat: chat.id }) : "/admin/documents"}
      answer={answer}
      fields={{ id: sale.id, chatId: chat?.id, holdId, quoteId: quote?.id, customerId }}
      intent="record"
      submit="Record sale"
      busy="Recording..."
      amount={<span className="sale-amount">{dollars(totalCents)}</span>}
    >
      <SaleLines {...draft} shopName={shopName} />
      <AddLine {...search} {...draft} />
      <div className="sale-end">
        <PaymentFields data={data} sale={sale} />
        <SaleTotals totals={totals} totalCents={totalCents} shopName={shopName} isCash={isCash} />
      </div>
    </LinesForm>
  );
}

function SaleNote({ data: { chat, holdId, quote } }: { data: RecordSaleData }) {
  return (
    <>
      {chat ? `Chat with ${chat.name}` : "At the counter"}
      {holdId && ", ends its hold"}
      {quote && `, quote “${quote.title}”`}
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

const paymentModeOf = (text: string): PaymentMode => PAYMENT_MODES.find((mode) => mode === text) ?? "CASH";

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
