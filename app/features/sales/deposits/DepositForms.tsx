import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { FIRST_DAY, LAST_DAY } from "~/domain/calendar-day";
import { businessName, PAYMENT_MODES, PAYMENT_NAMES } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { parseAmount } from "~/domain/typed-amount";
import { AmountField } from "~/ui/AmountField";
import { Checkbox, Field, FieldNotes, Segments, TextArea } from "~/ui/Field";
import { useHydrated } from "~/ui/hooks";
import { Form } from "~/ui/navigation";
import { useRefusedForm } from "~/ui/useRefusedForm";
import { depositTitle, leftLabel } from "../deposit";
import { MAX_DESCRIPTION, MAX_NOTE } from "../document";
import { FormFoot, FormHead, useList, useRecordKey } from "../record/LinesForm";
import { SumRow } from "../SumRow";
import { depositUrl, withdrawUrl } from "../urls";
import type { DepositPageData } from "./page.server";

interface PageProps {
  data: DepositPageData;
}

interface QuoteFormProps extends PageProps {
  title: string;
  action: string;
  intent: string;
  submit: string;
  busy: string;
  amount?: string;
  failure: string | null | undefined;
  fields: Record<string, string>;
  onInput?: (event: FormEvent) => void;
  children: ReactNode;
}

/** Form about a quote: the quote in its head, what it does in its foot. */
function QuoteForm({ data, title, action, fields, onInput, children, amount, ...foot }: QuoteFormProps) {
  const { quote, name, back } = data;
  const form = useRef<HTMLFormElement>(null);
  useRecordKey(form);
  return (
    <Form
      ref={form}
      method="post"
      action={action}
      className="panel sale-form narrow"
      aria-label={title}
      noValidate
      replace
      preventScrollReset
      onInput={onInput}
    >
      {Object.entries(fields).map(
        ([field, value]) => value && <input key={field} type="hidden" name={field} value={value} />,
      )}
      <FormHead back={back}>
        {[title, name, `${quote.title}, ${dollars(quote.totalCents)}`].filter(Boolean).join(" · ")}
      </FormHead>
      <div className="sale-end deposit-parts">{children}</div>
      <FormFoot {...foot} back={back}>
        {amount && <span className="sale-amount">{amount}</span>}
      </FormFoot>
    </Form>
  );
}

/** Form that takes a deposit on a quote, or pays it back. */
export function DepositForm({ data }: PageProps) {
  const answer = useRefusedForm();
  const { failure, value } = answer;
  const [typed, setTyped] = useState(value("amount"));
  // The first id counts: every revalidation of the page proposes another one.
  const [id] = useState(value("id", data.id));
  const isHydrated = useHydrated();
  const cents = isHydrated ? typedCents(typed) : null;
  const isBack = cents !== null && cents < 0;
  return (
    <QuoteForm
      data={data}
      title={isBack ? "Pay deposit back" : "Take deposit"}
      action={depositUrl(data.quote.id, useList())}
      intent="take"
      submit={isBack ? "Pay back" : "Take deposit"}
      busy="Saving..."
      failure={failure ?? data.refusal}
      fields={{ id, quoteId: data.quote.id, confirmed: value("confirmed") }}
      {...(cents ? { amount: dollars(Math.abs(cents)) } : {})}
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement && target.name === "amount") setTyped(target.value);
      }}
    >
      <DepositFields data={data} {...answer} />
      <DepositSums data={data} cents={cents} />
    </QuoteForm>
  );
}

type Answer = Pick<ReturnType<typeof useRefusedForm>, "value" | "error">;

function DepositFields({ data, value, error }: PageProps & Answer) {
  const { quote, paidCents } = data;
  return (
    <div className="sale-fields">
      <AmountField
        id="deposit-amount"
        name="amount"
        autoFocus
        defaultValue={value("amount")}
        error={error("amount")}
        hint={amountHint(paidCents, quote.totalCents)}
      />
      <Field
        id="deposit-day"
        label="Date"
        name="createdAt"
        type="date"
        min={FIRST_DAY}
        max={LAST_DAY}
        defaultValue={value("createdAt", data.today)}
        error={error("createdAt")}
      />
      <div className="sale-wide">
        <Segments
          id="deposit-mode"
          name="mode"
          legend="Payment mode"
          options={MODES}
          defaultValue={value("mode", "CASH")}
          error={error("mode")}
        />
      </div>
      <div className="sale-wide">
        <DepositNote value={value} error={error} />
        <MailField email={data.email} value={value} error={error} />
        {quote.state === "sent" && <Acceptance value={value} error={error} />}
      </div>
    </div>
  );
}

function DepositNote({ value, error }: Answer) {
  return (
    <Field
      id="deposit-note"
      label="Note"
      name="note"
      maxLength={MAX_DESCRIPTION}
      autoComplete="off"
      defaultValue={value("note")}
      error={error("note")}
      hint="Stands on the receipt"
    />
  );
}

function MailField({ email, value, error }: Answer & { email: string }) {
  return (
    <Field
      id="deposit-mail"
      name="mailTo"
      label="Mail the receipt to"
      type="email"
      autoComplete="off"
      defaultValue={value("mailTo")}
      error={error("mailTo")}
      hint={email ? `Empty: no mail. The customer left ${email}.` : "Empty: no mail"}
    />
  );
}

/** Accepts a quote for the customer. */
function Acceptance({ value, error }: Answer) {
  return (
    <Checkbox
      id="deposit-accept"
      name="accept"
      defaultChecked={value("accept") === "on"}
      error={error("accept")}
    >
      The customer accepts the quote
    </Checkbox>
  );
}

const MODES = PAYMENT_MODES.map((value) => ({ value, label: PAYMENT_NAMES[value] }));
const MINUS = /^\s*[-\u2212]/;

/** Reads a typed amount, which may be negative; null for another text. */
function typedCents(text: string): number | null {
  const cents = parseAmount(text.replace(MINUS, ""))?.cents;
  return cents === undefined ? null : cents * (MINUS.test(text) ? -1 : 1) || null;
}

function amountHint(paidCents: number, totalCents: number): string {
  const most = `At most ${dollars(totalCents - paidCents)}`;
  return paidCents > 0 ? `${most}. With a minus it is paid back.` : most;
}

/** Sums of the quote: its deposits, and the rest that this one leaves to pay. @param props.cents null while it is not known */
function DepositSums({
  data: { quote, deposits, paidCents, addedTax },
  cents,
}: PageProps & { cents: number | null }) {
  const left = quote.totalCents - paidCents - (cents ?? 0);
  return (
    <div>
      <table className="sale-totals" aria-label="What is left to pay">
        <tbody>
          <SumRow title="Quote" cents={quote.totalCents} />
          {deposits.map((deposit) => (
            <SumRow
              key={deposit.id}
              title={`${depositTitle(deposit)} ${deposit.number}, ${PAYMENT_NAMES[deposit.mode]}`}
              cents={-deposit.amountCents}
            />
          ))}
          {cents !== null && <SumRow title={cents < 0 ? "Paid back now" : "This deposit"} cents={-cents} />}
        </tbody>
        <tfoot>
          <tr className="sale-due">
            <th scope="row">{leftLabel(addedTax)}</th>
            <td>{left >= 0 ? dollars(left) : "–"}</td>
          </tr>
        </tfoot>
      </table>
      <p className="soft">No sale yet: it states no tax.</p>
    </div>
  );
}

/** Form that withdraws a quote and asks what happens with its deposit. */
export function WithdrawForm({ data }: PageProps) {
  const { quote, paidCents, refusal } = data;
  const { failure, value, error } = useRefusedForm();
  const [end, setEnd] = useState(value("deposit", "paidBack"));
  const isHydrated = useHydrated();
  const hasDeposit = paidCents > 0;
  const act = end === "kept" ? "Withdraw, keep" : "Withdraw, pay back";
  return (
    <QuoteForm
      data={data}
      title="Withdraw the quote"
      action={withdrawUrl(quote.id, useList())}
      intent="withdraw"
      submit={hasDeposit && isHydrated ? act : "Withdraw"}
      busy="Withdrawing..."
      failure={failure ?? refusal}
      fields={{ quoteId: quote.id, was: quote.state, depositCents: hasDeposit ? String(paidCents) : "" }}
      {...(hasDeposit && isHydrated ? { amount: dollars(paidCents) } : {})}
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement && target.name === "deposit") setEnd(target.value);
      }}
    >
      {hasDeposit && <DepositEnds data={data} end={value("deposit", "paidBack")} error={error("deposit")} />}
      <TextArea
        id="withdraw-message"
        label={`To ${data.name || "the customer"}`}
        name="message"
        rows={3}
        maxLength={MAX_NOTE}
        defaultValue={value("message")}
        error={error("message")}
        hint="Goes into the conversation, which says that the quote was withdrawn."
      />
    </QuoteForm>
  );
}

interface DepositEndsProps extends PageProps {
  end: string;
  error: string | undefined;
}

function DepositEnds({ data, end, error }: DepositEndsProps) {
  const { paidCents, refunds, rules, business, businessNames } = data;
  const paid = dollars(paidCents);
  const back = refunds.map(({ mode, amountCents }) => `${PAYMENT_NAMES[mode]} ${dollars(-amountCents)}`);
  const tax = rules.number
    ? `${rules.name} ${rules.rate / 100}% included`
    : `${businessName(business, businessNames)} states no tax`;
  const options = [
    { value: "paidBack", label: `Pay back ${paid}`, hint: `Today: ${back.join(", ")}. No sale, no tax.` },
    { value: "kept", label: "Keep it", hint: `A sale with one line, “Deposit kept”, ${paid}. ${tax}.` },
  ];
  return (
    <fieldset className="field" aria-describedby={error ? "withdraw-deposit-error" : undefined}>
      <legend>What happens with the deposit</legend>
      {options.map(({ value, label, hint }) => (
        <label key={value} className="check">
          <input type="radio" name="deposit" value={value} defaultChecked={value === end} />
          <span>
            {label}
            <small className="deposit-end">{hint}</small>
          </span>
        </label>
      ))}
      <FieldNotes id="withdraw-deposit" error={error} />
    </fieldset>
  );
}
