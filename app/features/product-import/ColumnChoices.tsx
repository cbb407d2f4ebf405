import { FIELDS } from "~/features/catalogue/product-fields";
import type { Field, Mapping } from "./columns";
import type { Plan } from "./plan";

interface ColumnChoicesProps {
  plan: Plan;
  onSay: (columns: Mapping) => void;
}

/** Where each column of the file goes. */
export function ColumnChoices({ plan, onSay }: ColumnChoicesProps) {
  const { mapping } = plan;
  const say = (place: number, field: Field | null) =>
    onSay(
      mapping.map((before, i) => (i === place ? field : field !== null && before === field ? null : before)),
    );
  return (
    <table className="small-table mapping">
      <thead>
        <tr>
          <th scope="col">In your file</th>
          <th scope="col">Goes to</th>
          <th scope="col">First value</th>
        </tr>
      </thead>
      <tbody>
        {plan.headers.map((header, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place; headers may stand twice
          <tr key={place}>
            <th scope="row">{header || <i className="soft">No title</i>}</th>
            <td>
              <select
                className="select"
                aria-label={`${header || `Column ${place + 1}`} goes to`}
                value={mapping[place] ?? ""}
                onChange={({ target }) => say(place, (target.value || null) as Field | null)}
              >
                <option value="">Nothing</option>
                {FIELDS.map((field) => (
                  <option key={field}>{field}</option>
                ))}
              </select>
            </td>
            <td className="soft">{plan.samples[place]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
