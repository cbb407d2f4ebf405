import type { FormFailure } from "~/ui/form-failure";
import { Icon } from "~/ui/Icon";
import { FIELDS } from "./columns";

/** Without a script: which columns are read as what, where their titles don't tell. */
export function ColumnNames({ refused }: { refused: FormFailure | undefined }) {
  const typed = (field: string) => {
    const value: unknown = refused?.lastResult.initialValue?.[`column-${field}`];
    return typeof value === "string" ? value : "";
  };
  return (
    <details className="without-script column-names" open={refused !== undefined}>
      <summary>
        <Icon name="chevron-right" className="i s chev" />
        My columns have other titles
      </summary>
      <p className="soft">
        Type a column’s title as it stands in the file. It is remembered for the next file of these columns.
      </p>
      <div className="column-names-grid">
        {FIELDS.map((field) => (
          <label key={field}>
            {field}
            <input
              className="input"
              name={`column-${field}`}
              defaultValue={typed(field)}
              autoComplete="off"
            />
          </label>
        ))}
      </div>
    </details>
  );
}
