import { type ReactNode, useEffect, useState } from "react";
import { type Category, parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { FIELDS, type ProductField } from "~/features/catalogue/product";
import { counted } from "~/ui/format";
import { Icon } from "~/ui/Icon";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { CategoryChoices } from "./CategoryChoices";
import type { CategoryGuess, Plan } from "./plan";
import { headerKey, JOINED_FIELD, type Mapping } from "./sheet";
import type { ImportState } from "./useImport";

const MAX_LISTED = 3;

/** Mapping of the file's columns and categories, which staff may change. */
export function MappingPanel({ upload, plan }: { upload: ImportState; plan: Plan }) {
  const problem = plan.problem ?? plan.missing;
  /** Chooses a category, or leaves it to the plan. */
  const chooseCategory = (sourceCategory: string, category: Category | null) => {
    const { [sourceCategory]: _, ...others } = plan.choices?.categories ?? {};
    upload.choose({ categories: category ? { ...others, [sourceCategory]: category } : others });
  };
  return (
    <>
      {problem && (
        <p className="form-error" role="alert">
          {problem}. Map the columns below.
        </p>
      )}
      <Disclosure title="Columns" summary={columnSummary(plan)} isOpen={problem !== undefined}>
        <ColumnChoices plan={plan} onChoose={(columns) => upload.choose({ columns })} />
      </Disclosure>
      {plan.categories.length > 0 && (
        <Disclosure
          title="Categories"
          summary={categorySummary(plan)}
          isOpen={plan.categories.some(needsChoice)}
        >
          <CategoryChoices plan={plan} onChoose={chooseCategory} />
        </Disclosure>
      )}
    </>
  );
}

interface DisclosureProps {
  title: string;
  summary: string;
  /** A choice is needed; staff may close it all the same. */
  isOpen: boolean;
  children: ReactNode;
}

function Disclosure({ title, summary, isOpen, children }: DisclosureProps) {
  const [isVisible, setVisible] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setVisible(true);
  }, [isOpen]);
  return (
    <details
      className="fold"
      open={isVisible}
      onToggle={({ currentTarget }) => setVisible(currentTarget.open)}
    >
      <summary>
        <Icon name="chevron-right" className="i s chev" />
        {title} <span className="soft">{summary}</span>
      </summary>
      {children}
    </details>
  );
}

function columnSummary(plan: Plan): string {
  const { mapping, remembered } = plan;
  const matched = `${mapping.filter(Boolean).length} of ${mapping.length} matched`;
  const guesses = plan.choices?.columns ? [] : guessedColumns(plan);
  const unread = unreadColumns(plan);
  const parts = [
    matched,
    remembered
      ? "as chosen last time"
      : guesses.length > 0 && `${guesses.length} guessed: ${listSome(guesses)}`,
  ];
  const text = parts.filter(Boolean).join(", ");
  return unread.length > 0 ? `${text}. Not taken over: ${listSome(unread)}` : text;
}

/** Lists the columns that have a value in the first row and are not taken over. */
const unreadColumns = ({ headers, samples, unread }: Plan) =>
  unread.flatMap((column) => (samples[column] && headers[column] ? `“${headers[column]}”` : []));

/** Lists the columns whose headers are no names of fields, with the fields that were guessed. */
function guessedColumns({ headers, mapping }: Plan): string[] {
  return mapping.flatMap((field, column) => {
    const header = headers[column] ?? "";
    return field && headerKey(header) !== field.toLowerCase() ? [`“${header}” as ${field}`] : [];
  });
}

/** Detects a category that staff should choose: unknown, or guessed as Others for a new product. */
function needsChoice({ category, isUncategorised, products, kept }: CategoryGuess): boolean {
  return category === null || (category === "OTHERS" && !isUncategorised && kept < products);
}

function categorySummary({ categories, uncategorised, choices }: Plan): string {
  const named = categories.filter(({ isUncategorised }) => !isUncategorised);
  const unknown = named.filter(({ category }) => category === null).length;
  const translated = named.flatMap(({ sourceCategory, category, products, kept }) =>
    category && parseCategory(sourceCategory) !== category && kept < products
      ? [`${sourceCategory} as ${categoryName(category)}`]
      : [],
  );
  const labels = [`${named.length === 0 ? "none" : named.length} in the file`];
  if (unknown > 0) labels.push(`${unknown} unknown`);
  const listed = translated.length > 0 ? `${labels.join(", ")}: ${listSome(translated)}` : labels.join(", ");
  const kept = named.reduce((sum, guess) => sum + guess.kept, uncategorised.kept);
  const others = uncategorised.products - uncategorised.kept;
  const chosen = choices?.categories[""];
  const sentences = [listed];
  if (kept > 0)
    sentences.push(`${counted(kept, "product")} ${kept === 1 ? "keeps its" : "keep their"} category`);
  if (others > 0)
    sentences.push(
      `${counted(others, kept > 0 ? "other" : "product")} without one: ${chosen ? categoryName(chosen) : "guessed by name"}`,
    );
  return sentences.join(". ");
}

function listSome(labels: string[]): string {
  const more = labels.length - MAX_LISTED;
  return labels.slice(0, MAX_LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function ColumnChoices({ plan, onChoose }: { plan: Plan; onChoose: (columns: Mapping) => void }) {
  const { mapping } = plan;
  return (
    <table className="small-table mapping">
      <thead>
        <tr>
          <th scope="col">In your file</th>
          <th scope="col">Field</th>
          <th scope="col">First value</th>
        </tr>
      </thead>
      <tbody>
        {plan.headers.map((header, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by index; headers may repeat
          <tr key={column}>
            <th scope="row">{header || <i className="soft">No title</i>}</th>
            <td>
              <select
                className="select"
                aria-label={`${header || `Column ${column + 1}`}: field`}
                value={mapping[column] ?? ""}
                onChange={({ target }) =>
                  onChoose(withField(mapping, column, (target.value || null) as ProductField | null))
                }
              >
                <option value="">{withoutField(plan, column)}</option>
                {FIELDS.map((field) => (
                  <option key={field}>{field}</option>
                ))}
              </select>
            </td>
            <td className="soft">{plan.samples[column]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Gives a column a field and takes it from its former column, except the field that several columns may have. */
function withField(mapping: Mapping, column: number, field: ProductField | null): Mapping {
  const isMoved = field !== null && field !== JOINED_FIELD;
  return mapping.map((before, i) => (i === column ? field : isMoved && before === field ? null : before));
}

/** Describes what happens to a column without a field. */
function withoutField({ unread, problem, prices }: Plan, column: number): string {
  if (problem || prices) return "Nothing";
  return unread.includes(column) ? "Not taken over" : "Taken into account";
}

/** Inputs for the titles of the columns, for browsers without JavaScript. */
export function ColumnNames({ refused }: { refused: RefusedForm | undefined }) {
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
        Type the titles of the columns as they appear in the file. They are remembered for the next file with
        these columns.
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
