import { FieldNotes } from "~/ui/Field";
import { dollars } from "~/ui/money";
import type { FormFailure } from "~/ui/useCheckedForm";
import type { DocumentLine } from "../document";
import type { CreditForm } from "./useCreditForm";

interface CreditLinesProps {
  lines: DocumentLine[];
  form: CreditForm;
  refused: FormFailure | undefined;
}

/** Lines of a sale with the pieces to take back and their limit. */
export function CreditLines({ lines, form, refused }: CreditLinesProps) {
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
