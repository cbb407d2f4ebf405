import { useActionData, useLocation } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { PAYMENT_MODES, PAYMENT_NAMES, type PaymentMode } from "~/features/ledger/enums";
import { Checkbox, Field, FieldNotes, Segments } from "~/ui/Field";
import { FormDialog } from "~/ui/FormDialog";
import { useHydrated } from "~/ui/hooks";
import { dollars } from "~/ui/money";
import { useFailureToast } from "~/ui/Toasts";
import type { FormFailure } from "~/ui/useCheckedForm";
import type { DocumentLine } from "../document";
import { creditTotals } from "../tax";
import type { DocumentPage } from "./document.server";

interface CreditDialogProps {
  page: DocumentPage;
  /** Id of the credit note, so that a form that is sent twice issues one. */
  creditId: string;
}

/** Takes back lines of a sale. Its amounts need JavaScript, the form does not. */
export function CreditDialog({ page, creditId }: CreditDialogProps) {
  const { document, day, products } = page;
  const refused = useActionData<FormFailure>();
  const { pathname, search } = useLocation();
  useFailureToast(refused);
  const form = useCreditForm(document.lines, document.paymentMode, refused);
  // The first id counts: every revalidation of the page proposes another one.
  const [id] = useState(submitted(refused, "creditId") ?? creditId);
  const customer = document.customerName || "Counter";
  return (
    <FormDialog
      title={`Credit ${document.number}`}
      intent="credit"
      submit={form.amount === null ? "Credit" : `Credit ${dollars(-form.amount)}`}
      isDisabled={form.isEmpty}
      problem={refused?.failure}
      answer={refused}
      form={{ id: "credit", noValidate: true, onInput: form.onInput }}
      back={pathname}
      action={pathname + search}
    >
      <input type="hidden" name="creditId" value={id} />
      <p className="col-6 soft">
        {`${customer}, ${day}, ${dollars(document.totalCents)}, ${PAYMENT_NAMES[document.paymentMode]}`}
      </p>
      <CreditLines lines={document.lines} form={form} refused={refused} />
      <div className="col-6">
        <Checkbox
          id="credit-all"
          name="all"
          checked={form.isAll}
          onChange={({ target }) => form.takeAll(target.checked)}
        >
          Everything that is left (void)
        </Checkbox>
      </div>
      <div className="col-6">
        <Field
          id="credit-reason"
          name="reason"
          label="Reason"
          maxLength={500}
          autoComplete="off"
          defaultValue={submitted(refused, "reason") ?? ""}
          error={refused?.lastResult.error?.reason?.[0]}
        />
      </div>
      <div className="col-6">
        <Segments
          id="credit-payment"
          name="paymentMode"
          legend="Paid back by"
          options={PAYMENT_MODES.map((value) => ({ value, label: PAYMENT_NAMES[value] }))}
          defaultValue={submitted(refused, "paymentMode") ?? document.paymentMode}
          error={refused?.lastResult.error?.paymentMode?.[0]}
        />
      </div>
      {products.length > 0 && <Restock page={page} form={form} refused={refused} />}
      <p className="col-6 hint">A credit note is dated today. The receipt stays as it is.</p>
    </FormDialog>
  );
}

type CreditForm = ReturnType<typeof useCreditForm>;

/** Reads a text of a rejected form. */
function submitted(refused: FormFailure | undefined, name: string): string | undefined {
  const value: unknown = refused?.lastResult.initialValue?.[name];
  return typeof value === "string" ? value : undefined;
}

/** Reads the pieces of a rejected form, in the order of the lines. */
function submittedPieces(refused: FormFailure | undefined, count: number): string[] {
  const value: unknown = refused?.lastResult.initialValue?.take;
  const list = Array.isArray(value) ? value : [value];
  return Array.from({ length: count }, (_, i) => (typeof list[i] === "string" ? list[i] : "0"));
}

/** Keeps the pieces of each line and computes what they are worth. */
function useCreditForm(lines: DocumentLine[], paidBy: PaymentMode, refused: FormFailure | undefined) {
  const [take, setTake] = useState(() => submittedPieces(refused, lines.length));
  const [isAll, setAll] = useState(submitted(refused, "all") === "on");
  const [mode, setMode] = useState<string>(submitted(refused, "paymentMode") ?? paidBy);
  const isHydrated = useHydrated();
  const pieces = lines.map((line, i) => acceptedPieces(take[i] ?? "", line));
  const taken = lines
    .map((line, i) => ({ line, quantity: pieces[i] ?? 0 }))
    .filter(({ quantity }) => quantity > 0);
  const totals = creditTotals(taken, mode === "CASH");
  const parts = lines.map(({ line }) => {
    const index = taken.findIndex((each) => each.line.line === line);
    return index < 0 ? 0 : (totals.amounts[index] ?? 0);
  });
  return {
    take,
    parts,
    pieces,
    isAll,
    isEmpty: isHydrated && take.every((text) => /^0*$/.test(text.trim())),
    /** Null without JavaScript, when it is not known. */
    amount: isHydrated ? totals.totalCents : null,
    change(index: number, value: string) {
      setTake((before) => before.map((each, i) => (i === index ? value : each)));
      setAll(false);
    },
    takeAll(all: boolean) {
      setAll(all);
      setTake(lines.map((line) => String(all ? line.quantity - line.returned : 0)));
    },
    onInput({ target }: FormEvent) {
      const field = target as HTMLInputElement;
      if (field.name === "paymentMode") setMode(field.value);
    },
  };
}

/** Reads typed pieces; 0 for what the server will refuse. */
function acceptedPieces(text: string, { quantity, returned }: DocumentLine): number {
  const typed = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
  return typed <= quantity - returned ? typed : 0;
}

interface CreditLinesProps {
  lines: DocumentLine[];
  form: CreditForm;
  refused: FormFailure | undefined;
}

function CreditLines({ lines, form, refused }: CreditLinesProps) {
  return (
    <table className="col-6 credit-lines">
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" className="num">
            Sold
          </th>
          <th scope="col" className="num">
            Take back
          </th>
          <th scope="col" className="num needs-script">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, i) => (
          <CreditLine
            key={line.line}
            line={line}
            index={i}
            form={form}
            error={refused?.lastResult.error?.[`take.${i}`]?.[0]}
          />
        ))}
      </tbody>
    </table>
  );
}

interface CreditLineProps {
  line: DocumentLine;
  index: number;
  form: CreditForm;
  error: string | undefined;
}

function CreditLine({ line, index, form, error }: CreditLineProps) {
  const left = line.quantity - line.returned;
  const id = `credit-take-${line.line}`;
  return (
    <tr>
      <td>
        {line.description}
        {line.returned > 0 && <small>{`${line.returned} credited before`}</small>}
      </td>
      <td className="num">{line.quantity}</td>
      <td className="num field">
        <input type="hidden" name="line" value={line.line} />
        <span className="take-back">
          <input
            id={id}
            className="input"
            name="take"
            inputMode="numeric"
            autoComplete="off"
            aria-label={`Take back of ${line.description}, ${left} left`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            readOnly={left === 0}
            value={form.take[index] ?? "0"}
            onChange={({ target }) => form.change(index, target.value)}
            onFocus={({ target }) => target.select()}
          />
          <small>{`of ${left} left`}</small>
        </span>
        <FieldNotes id={id} error={error} />
      </td>
      <td className="num needs-script">{dollars(form.parts[index] ?? 0)}</td>
    </tr>
  );
}

interface RestockProps {
  page: DocumentPage;
  form: CreditForm;
  refused: FormFailure | undefined;
}

/** Puts the pieces back to stock, and says which numbers that changes. */
function Restock({ page: { document, products }, form, refused }: RestockProps) {
  const notes = products.map(({ id, stock }) => {
    const pieces = document.lines.reduce(
      (sum, line, i) => (line.productId === id ? sum + (form.pieces[i] ?? 0) : sum),
      0,
    );
    const name = document.lines.find(({ productId }) => productId === id)?.description ?? "";
    return pieces > 0
      ? `${name} stays at ${stock}. Ticked, it goes to ${stock + pieces}.`
      : `${name} has ${stock}.`;
  });
  return (
    <div className="col-6">
      <Checkbox id="credit-restock" name="restock" defaultChecked={submitted(refused, "restock") === "on"}>
        Back to stock
        <small className="restock-note">{notes.join(" ")}</small>
      </Checkbox>
    </div>
  );
}
