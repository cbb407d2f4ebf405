import { CATEGORIES, type Category, categoryName, parseCategory } from "~/features/catalogue/categories";
import type { KindGuess, Plan } from "./plan";

interface KindChoicesProps {
  plan: Plan;
  /** @param kind "" for all products of which the file says nothing */
  onSay: (kind: string, category: Category | null) => void;
}

/** Which category each kind of the file is; products of no kind are one line, and by their names below. */
export function KindChoices({ plan: { kinds, choices }, onSay }: KindChoicesProps) {
  const untyped = kinds.filter(({ isUntyped }) => isUntyped);
  const typed = kinds.filter(({ isUntyped }) => !isUntyped);
  const guessed = typed.filter((guess) => !isOurs(guess));
  const ours = guessed.length > 0 ? typed.filter(isOurs) : [];
  const count = untyped.reduce((sum, { products }) => sum + products, 0);
  return (
    <>
      <table className="small-table mapping">
        <thead>
          <tr>
            <th scope="col">In your file</th>
            <th scope="col">Is here</th>
            <th scope="col">Products</th>
          </tr>
        </thead>
        <tbody>
          {(ours.length > 0 ? guessed : typed).map((guess) => (
            <Kind key={guess.kind} guess={guess} onSay={onSay} />
          ))}
          {count > 0 && <Untyped count={count} chosen={choices?.categories[""] ?? null} onSay={onSay} />}
        </tbody>
      </table>
      {ours.length > 0 && <More title="The shop’s own categories" kinds={ours} onSay={onSay} />}
      {count > 0 && <More title="Products without a type, one by one" kinds={untyped} onSay={onSay} />}
    </>
  );
}

/** Called what the shop calls it: there is nothing to guess. */
function isOurs({ kind, category }: KindGuess): boolean {
  return category !== null && parseCategory(kind) === category;
}

interface UntypedProps {
  count: number;
  /** What was said of all of them. */
  chosen: Category | null;
  onSay: KindChoicesProps["onSay"];
}

function Untyped({ count, chosen, onSay }: UntypedProps) {
  return (
    <tr>
      <th scope="row">
        <i className="soft">No type</i>
      </th>
      <td>
        <Select
          label="No type"
          value={chosen}
          none="Guessed by each name"
          onSay={(category) => onSay("", category)}
        />
      </td>
      <td className="soft" data-title={count === 1 ? "product" : "products"}>
        {count.toLocaleString("en")}
      </td>
    </tr>
  );
}

interface MoreProps {
  title: string;
  kinds: KindGuess[];
  onSay: KindChoicesProps["onSay"];
}

function More({ title, kinds, onSay }: MoreProps) {
  return (
    <details className="by-name">
      <summary>{title}</summary>
      <table className="small-table mapping">
        <tbody>
          {kinds.map((guess) => (
            <Kind key={guess.kind} guess={guess} onSay={onSay} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

interface KindProps {
  guess: KindGuess;
  onSay: KindChoicesProps["onSay"];
}

function Kind({ guess: { kind, products, category }, onSay }: KindProps) {
  return (
    <tr>
      <th scope="row">{kind}</th>
      <td>
        <Select
          label={kind}
          value={category}
          none={category === null ? "Not known: choose" : null}
          onSay={(chosen) => chosen && onSay(kind, chosen)}
        />
      </td>
      <td className="soft" data-title={products === 1 ? "product" : "products"}>
        {products.toLocaleString("en")}
      </td>
    </tr>
  );
}

interface SelectProps {
  label: string;
  value: Category | null;
  /** What stands for no category; null where one must be chosen. */
  none: string | null;
  onSay: (category: Category | null) => void;
}

function Select({ label, value, none, onSay }: SelectProps) {
  return (
    <select
      className="select"
      aria-label={`${label} is here`}
      value={value ?? ""}
      onChange={({ target }) => onSay((target.value || null) as Category | null)}
    >
      {none !== null && <option value="">{none}</option>}
      {CATEGORIES.map((each) => (
        <option key={each} value={each}>
          {categoryName(each)}
        </option>
      ))}
    </select>
  );
}
