import { useState } from "react";
import { ownCategory } from "~/domain/enums";
import { dollars } from "~/domain/money";
import { Checkbox, Field } from "~/ui/Field";
import { useCashStep } from "~/ui/shop-numbers";
import { correctionOf, rulesOf } from "../correction";
import { type DocumentTotals, TotalsOfDocuments, TotalsRow } from "../DocumentTotals";
import { usePaymentParts } from "../PaymentParts";
import { draftTender } from "../payments";
import { AddLine } from "../record/AddLine";
import { type DraftLine, lineCents, pieces } from "../record/draft";
import { LinesForm } from "../record/LinesForm";
import { PaymentChoice, paymentModeOf } from "../record/PaymentMethod";
import { NO_PARTS } from "../record/RecordSale";
import { SaleLines } from "../record/SaleLines";
import { fieldProblem, useLinesForm, withProducts } from "../record/useLinesForm";
import { correctUrl } from "../urls";
import type { CorrectSaleData } from "./page.server";

/** State of the form: what was typed, its lines, and what they change. */
function useCorrectSale(data: CorrectSaleData) {
  const { answer, submitted, value, draft, id, search } = useLinesForm(data);
  const { corrected, roundingSoFarCents } = data;
  const [paymentMode, setPaymentMode] = useState(paymentModeOf(value("paymentMode", corrected.paymentMode)));
  const initial = Object.fromEntries(Object.keys(NO_PARTS).map((name) => [name, value(name, "")]));
  const split = { initial, ...usePaymentParts(initial, answer) };
  const wanted = draft.lines.map((line) => comparedLine(line, data));
  const tender = draftTender(split.parts, paymentMode, useCashStep());
  const correction = correctionOf(corrected, roundingSoFarCents, wanted, tender);
  // The first number counts: another credit note since then is a conflict.
  const [credits] = useState(() => value("credits", String(data.credits)));
  const isRestocked = answer ? submitted.restock === "on" : true;
  return {
    answer,
    value,
    draft,
    id,
    search,
    paymentMode,
    setPaymentMode,
    split,
    correction,
    /** Of each line: it is sold anew. */
    changed: wanted.map((line) => correction.lines.includes(line)),
    isRestocked,
    credits,
  };
}

const comparedLine = (line: DraftLine, { corrected: { businessType } }: CorrectSaleData) => ({
  unit: line.unitId || null,
  description: line.description.trim().normalize("NFC"),
  category: line.category || ownCategory(businessType),
  quantity: pieces(line) ?? 0,
  priceCents: lineCents(line),
});

/** Form that corrects a sale: its lines as they should have been, and the difference. */
export function CorrectSale({ data }: { data: CorrectSaleData }) {
  const form = useCorrectSale(data);
  const { answer, draft, search, correction } = form;
  const { corrected } = data;
  const difference = differenceText(correction.payment.differenceCents);
  return (
    <LinesForm
      title={`Correct ${corrected.number}`}
      note={<CorrectNote data={data} />}
      action={withProducts(correctUrl(corrected.id), draft.lines)}
      back={data.back}
      answer={answer}
      isLookingUp={search.lookUps.pending.length > 0}
      fields={{ id: form.id, saleId: corrected.id, credits: form.credits }}
      intent="correct"
      submit="Correct"
      busy="Correcting..."
      amount={difference && <span className="sale-amount">{difference}</span>}
    >
      <SaleLines {...draft} isOneBusiness changed={form.changed} problem={fieldProblem(answer, "lines")} />
      <AddLine {...search} {...draft} />
      <div className="sale-end">
        <CorrectFields data={data} form={form} />
        <CorrectTotals corrected={corrected} correction={correction} />
      </div>
    </LinesForm>
  );
}

function CorrectNote({ data: { corrected, isNothingLeft } }: { data: CorrectSaleData }) {
  if (isNothingLeft) return <>Everything on it has been taken back already.</>;
  const customer = corrected.customerName || (corrected.chatId ? "Chat" : "Counter");
  return <>{`${customer}, ${dollars(corrected.totalCents)}. Change what was wrong.`}</>;
}

function differenceText(cents: number): string {
  if (cents === 0) return "";
  return cents > 0 ? `${dollars(cents)} to collect` : `${dollars(-cents)} to pay back`;
}

interface CorrectFieldsProps {
  data: CorrectSaleData;
  form: ReturnType<typeof useCorrectSale>;
}

function CorrectFields({ data, form }: CorrectFieldsProps) {
  const { answer, value } = form;
  return (
    <div className="sale-fields">
      <PaymentChoice id="correct-paid" form={form} />
      <Field
        id="correct-reason"
        label="Reason"
        name="reason"
        maxLength={500}
        autoComplete="off"
        defaultValue={value("reason", "")}
        error={fieldProblem(answer, "reason")}
      />
      {data.corrected.lines.some(({ productId }) => productId !== null) && (
        <Checkbox id="correct-restock" name="restock" defaultChecked={form.isRestocked}>
          What is taken back goes to stock
        </Checkbox>
      )}
    </div>
  );
}

interface CorrectTotalsProps {
  corrected: CorrectSaleData["corrected"];
  correction: ReturnType<typeof useCorrectSale>["correction"];
}

/** Credit note and sale in a column each, and the difference. */
function CorrectTotals({ corrected, correction }: CorrectTotalsProps) {
  const { payment, parts } = correction;
  const documents = documentsOf(corrected, correction);
  return (
    <div>
      <table className="sale-totals" aria-label="Totals">
        {documents.length > 0 && (
          <TotalsOfDocuments
            documents={documents}
            hasCash={documents.some(({ roundingCents }) => roundingCents !== 0)}
          />
        )}
        <tfoot>
          {documents.length > 1 && (
            <TotalsRow
              title="Two documents"
              documents={documents}
              cell={({ totalCents }) => dollars(totalCents)}
            />
          )}
          <tr className="sale-due">
            <th scope="row">{payment.differenceCents < 0 ? "To pay back" : "To collect"}</th>
            <td colSpan={Math.max(1, documents.length)}>{dollars(Math.abs(payment.differenceCents))}</td>
          </tr>
        </tfoot>
      </table>
      <CorrectNotes parts={parts} />
    </div>
  );
}

/** Says which lines are taken back, and which documents the others are in. */
function CorrectNotes({ parts }: Pick<CorrectTotalsProps["correction"], "parts">) {
  return (
    <>
      {parts.length > 0 && (
        <ul className="soft" aria-label="Taken back">
          {parts.map(({ line, quantity }) => (
            <li key={line.line}>{`Taken back: ${quantity} × ${line.description}`}</li>
          ))}
        </ul>
      )}
      <p className="soft">
        Lines that stay as they are stand in neither document. Both are dated today; the receipt stays as it
        is.
      </p>
      <noscript>
        <button type="submit" name="edit" value="none" className="btn">
          Update totals
        </button>
      </noscript>
    </>
  );
}

/** Lists the documents that a correction issues: none while nothing is changed. */
function documentsOf(
  corrected: CorrectSaleData["corrected"],
  { parts, lines, totals, soldTotals }: CorrectTotalsProps["correction"],
): DocumentTotals[] {
  const rules = rulesOf(corrected);
  const column = (name: string, { exactCents, taxCents, ...rest }: typeof soldTotals | typeof totals) => ({
    ...rest,
    name,
    rules,
    taxCents,
    linesCents: rules.isIncluded ? exactCents : exactCents - taxCents,
  });
  return [
    ...(parts.length > 0 ? [column("Credit note", totals)] : []),
    ...(lines.length > 0 ? [column("New sale", soldTotals)] : []),
  ];
}
