import { useActionData, useLocation } from "@remix-run/react";
import { useRef, useState } from "react";
import { CURRENCY_SIGN } from "~/domain/currency";
import { PAYMENT_MODES, PAYMENT_NAMES } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { Checkbox, Field, FieldNotes, Segments } from "~/ui/Field";
import { FormDialog } from "~/ui/FormDialog";
import { useEarlyInput } from "~/ui/hooks";
import { REPLACED_FIELD } from "~/ui/replaced-field";
import { type RefusedForm, useFailureToast } from "~/ui/useCheckedForm";
import { creditedText, type DocumentLine, isCreditable } from "../document";
import { LineHeads } from "../LineHeads";
import { PaymentParts, partsProblem } from "../PaymentParts";
import { leftOfLine } from "../tax";
import type { DocumentPage } from "./page.server";
import { type CreditForm, submitted, type TypedCredit, useCreditForm } from "./useCreditForm";

interface CreditDialogProps {
  page: DocumentPage;
  /** Id of the credit note, so that a form that is sent twice issues one. */
  creditId: string;
}

/** Takes back lines of a sale. Its amounts need JavaScript, the form does not. */
export function CreditDialog({ page, creditId }: CreditDialogProps) {
  const { document, day, roundingSoFarCents } = page;
  const refused = useActionData<RefusedForm>();
  const { pathname, search } = useLocation();
  useFailureToast(refused);
  const form = useCreditForm({ lines: document.lines, roundingSoFarCents }, document.paymentMode, refused);
  // The first id counts: every revalidation of the page proposes another one.
  const [id] = useState(submitted(refused, "creditId") ?? creditId);
  const customer = document.customerName || (document.chatId ? "Chat" : "Counter");
  return (
    <FormDialog
      title={`Credit ${document.number}`}
      intent="credit"
      submit={form.amount === null ? "Credit" : `Credit ${dollars(-form.amount)}`}
      isDisabled={form.isEmpty || form.hasProblems}
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
      <CreditFields page={page} form={form} refused={refused} />
    </FormDialog>
  );
}

interface CreditFieldsProps {
  page: DocumentPage;
  form: CreditForm;
  refused: RefusedForm | undefined;
}

function CreditFields({ page, form, refused }: CreditFieldsProps) {
  const { document, products } = page;
  const errors = refused?.lastResult.error;
  return (
    <>
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
          error={errors?.reason?.[0]}
        />
      </div>
      <div className="col-6">
        <PaidBack
          paidBy={submitted(refused, "paymentMode") ?? document.paymentMode}
          error={errors?.paymentMode?.[0]}
        />
        <PaymentParts id="credit-paid" {...form.split} rest={form.mode} error={partsProblem(errors)} />
      </div>
      {products.length > 0 && <Restock page={page} form={form} refused={refused} />}
      <p className="col-6 soft">A credit note is dated today. The receipt stays as it is.</p>
    </>
  );
}

function PaidBack({ paidBy, error }: { paidBy: string; error: string | undefined }) {
  return (
    <Segments
      id="credit-payment"
      name="paymentMode"
      legend="Paid back by"
      options={PAYMENT_MODES.map((value) => ({ value, label: PAYMENT_NAMES[value] }))}
      defaultValue={paidBy}
      error={error}
    />
  );
}

interface RestockProps {
  page: DocumentPage;
  form: CreditForm;
  refused: RefusedForm | undefined;
}

const unitOf = ({ unitId, productId }: { unitId: string | null; productId: string | null }) =>
  unitId ?? productId;

/** Puts the pieces back to stock, and names the level of each unit: as it gets when ticked, as it stays otherwise. */
function Restock({ page: { document, products }, form, refused }: RestockProps) {
  const levels = products.flatMap(({ id, stock }) => {
    const name = document.lines.find((line) => unitOf(line) === id)?.description ?? "";
    const level = `${name}: ${stock}`;
    if (form.isEmpty || form.amount === null) return [[level, level]];
    const pieces = document.lines.reduce(
      (sum, line, i) => (unitOf(line) === id ? sum + (form.pieces[i] ?? 0) : sum),
      0,
    );
    return pieces > 0 ? [[`${level} → ${stock + pieces}`, `${name} stays at ${stock}`]] : [];
  });
  return (
    <div className="col-6">
      <Checkbox id="credit-restock" name="restock" defaultChecked={submitted(refused, "restock") === "on"}>
        Back to stock
        <small className="restock-note when-ticked">{levels.map(([ticked]) => ticked).join(", ")}</small>
        <small className="restock-note when-unticked">
          {levels.map(([, unticked]) => unticked).join(", ")}
        </small>
      </Checkbox>
    </div>
  );
}

interface CreditLinesProps {
  lines: DocumentLine[];
  form: CreditForm;
  refused: RefusedForm | undefined;
}

/** Lines of a sale with the pieces to take back and their limit. */
function CreditLines({ lines, form, refused }: CreditLinesProps) {
  const errors = refused?.lastResult.error;
  // An empty form is mended in its first line.
  const firstOpen = lines.findIndex(isCreditable);
  return (
    <table className="col-6 credit-lines">
      <LineHeads heads={["Item", ["Sold", "num"], ["Take back", "num"], ["Amount", "num needs-script"]]} />
      <tbody>
        {lines.map((line, i) => (
          <CreditLine
            key={line.line}
            line={line}
            index={i}
            form={form}
            error={
              form.problems[i] ??
              errors?.[`take.${i}`]?.[0] ??
              errors?.[`off.${i}`]?.[0] ??
              (i === firstOpen ? errors?.take?.[0] : undefined)
            }
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
  const credited = creditedText(line);
  return (
    <tr>
      <td>
        {line.description}
        {credited && <small>{`${credited} before`}</small>}
      </td>
      <td className="num">{line.quantity}</td>
      <td className="num field">
        <input type="hidden" name="line" value={line.line} />
        <TakeBack line={line} index={index} form={form} error={error} />
        <FieldNotes id={fieldId(line)} error={error} />
      </td>
      <td className="num needs-script">{dollars(form.parts[index] ?? 0)}</td>
    </tr>
  );
}

const fieldId = ({ line }: DocumentLine) => `credit-take-${line}`;

/** Fields for the pieces of a line, and for an amount without pieces. */
function TakeBack({ line, index, form, error }: CreditLineProps) {
  const pieces = line.quantity - line.returned;
  const cents = leftOfLine(line);
  const id = fieldId(line);
  const field = useCreditField({ index, form, error, id });
  return (
    <>
      <span className="take-back">
        <input
          id={id}
          {...field("take")}
          {...REPLACED_FIELD}
          inputMode="numeric"
          aria-label={`Take back of ${line.description}, ${pieces} left`}
          readOnly={pieces === 0}
        />
        <small>{`of ${pieces} left`}</small>
      </span>
      <span className="take-back">
        <small>{`or ${CURRENCY_SIGN}`}</small>
        <input
          id={`${id}-off`}
          {...field("off")}
          inputMode="decimal"
          maxLength={20}
          aria-label={`Amount off ${line.description} without pieces, ${dollars(cents)} left`}
          readOnly={cents === 0}
        />
      </span>
    </>
  );
}

/** Creates the attributes of a line's fields. */
function useCreditField({ index, form, error, id }: Omit<CreditLineProps, "line"> & { id: string }) {
  const { take = "0", off = "" } = form.typed[index] ?? {};
  const refs = { take: useRef<HTMLInputElement>(null), off: useRef<HTMLInputElement>(null) };
  useEarlyInput(refs.take, take, (text) => form.change(index, { take: text }));
  useEarlyInput(refs.off, off, (text) => form.change(index, { off: text }));
  return (name: keyof TypedCredit) => ({
    ref: refs[name],
    className: "input",
    name,
    autoComplete: "off",
    ...(error && { "aria-invalid": true, "aria-describedby": `${id}-error` }),
    value: name === "take" ? take : off,
    onChange: ({ target }: { target: HTMLInputElement }) => form.change(index, { [name]: target.value }),
  });
}
