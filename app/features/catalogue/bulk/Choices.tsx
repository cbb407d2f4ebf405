import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { CATEGORIES, type Category, categoryName } from "../categories";
import { FIELDS, type Field, type Mapping } from "./columns";
import { type KindGuess, type Plan, thingOf } from "./plan";
import type { Bulk } from "./useBulk";

/** How the file was understood, for staff to change (issue: mapping step). */
export function Choices({ bulk, plan }: { bulk: Bulk; plan: Plan }) {
  return (
    <>
      {plan.problem && (
        <p className="form-error" role="alert">
          {plan.problem}. Say below where the columns go.
        </p>
      )}
      <Fold title="Columns" words={columnWords(plan)} isOpen={plan.problem !== undefined}>
        <ColumnChoices plan={plan} onSay={(columns) => bulk.say({ columns })} />
      </Fold>
      {plan.kinds.length > 0 && (
        <Fold
          title="Categories"
          words={kindWords(plan.kinds)}
          isOpen={thingOf(plan.source) === "product" || plan.kinds.some(({ category }) => category === null)}
        >
          <KindChoices
            kinds={plan.kinds}
            onSay={(kind, category) =>
              bulk.say({ categories: { ...plan.choices?.categories, [kind]: category } })
            }
          />
        </Fold>
      )}
    </>
  );
}

interface FoldProps {
  title: string;
  words: string;
  /** Whether there is something to be said: it opens, and stays as it is left. */
  isOpen: boolean;
  children: ReactNode;
}

function Fold({ title, words, isOpen, children }: FoldProps) {
  const [isShown, setShown] = useState(isOpen);
  useEffect(() => {
    if (isOpen) setShown(true);
  }, [isOpen]);
  return (
    <details className="fold" open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>
        <ChevronRight className="i s chev" aria-hidden="true" />
        {title} <span className="soft">{words}</span>
      </summary>
      {children}
    </details>
  );
}

function columnWords({ mapping, remembered }: Plan): string {
  const matched = mapping.filter(Boolean).length;
  return `${matched} of ${mapping.length} matched${remembered ? ", as was said last time" : ""}`;
}

function kindWords(kinds: KindGuess[]): string {
  const open = kinds.filter(({ category }) => category === null).length;
  const all = `${kinds.length} in the file`;
  return open > 0 ? `${all}, ${open} not known here` : all;
}

interface ColumnChoicesProps {
  plan: Plan;
  onSay: (columns: Mapping) => void;
}

function ColumnChoices({ plan, onSay }: ColumnChoicesProps) {
  const { mapping } = plan;
  const say = (place: number, field: Field | null) =>
    onSay(
      mapping.map((before, i) => (i === place ? field : field !== null && before === field ? null : before)),
    );
  return (
    <table className="mini mapping">
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

interface KindChoicesProps {
  kinds: KindGuess[];
  onSay: (kind: string, category: Category) => void;
}

function KindChoices({ kinds, onSay }: KindChoicesProps) {
  return (
    <table className="mini">
      <thead>
        <tr>
          <th scope="col">In your file</th>
          <th scope="col">Is here</th>
          <th scope="col">Products</th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, products, category }) => (
          <tr key={kind}>
            <th scope="row">{kind}</th>
            <td>
              <select
                className="select"
                aria-label={`${kind} is here`}
                value={category ?? ""}
                onChange={({ target }) => onSay(kind, target.value as Category)}
              >
                {category === null && <option value="">Not known: choose</option>}
                {CATEGORIES.map((each) => (
                  <option key={each} value={each}>
                    {categoryName(each)}
                  </option>
                ))}
              </select>
            </td>
            <td className="soft">{products}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
