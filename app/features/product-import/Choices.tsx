import { type ReactNode, useEffect, useState } from "react";
import { type Category, categoryName, parseCategory } from "~/features/catalogue/categories";
import { Icon } from "~/ui/Icon";
import { ColumnChoices } from "./ColumnChoices";
import { headerKey } from "./columns";
import { KindChoices } from "./KindChoices";
import type { KindGuess, Plan } from "./plan";
import type { ImportState } from "./useImport";

const NAMED = 3;

/** How the file was understood, for staff to change (issue: mapping step). */
export function Choices({ bulk, plan }: { bulk: ImportState; plan: Plan }) {
  const wanting = plan.problem ?? plan.wanting;
  const sayKind = (kind: string, category: Category | null) => {
    const { [kind]: _, ...others } = plan.choices?.categories ?? {};
    bulk.say({ categories: category ? { ...others, [kind]: category } : others });
  };
  return (
    <>
      {wanting && (
        <p className="form-error" role="alert">
          {wanting}. Say below where the columns go.
        </p>
      )}
      <Fold title="Columns" words={columnWords(plan)} isOpen={wanting !== undefined}>
        <ColumnChoices plan={plan} onSay={(columns) => bulk.say({ columns })} />
      </Fold>
      {plan.kinds.length > 0 && (
        <Fold title="Categories" words={kindWords(plan.kinds)} isOpen={plan.kinds.some(isOpenQuestion)}>
          <KindChoices plan={plan} onSay={sayKind} />
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
        <Icon name="chevron-right" className="i s chev" />
        {title} <span className="soft">{words}</span>
      </summary>
      {children}
    </details>
  );
}

function columnWords(plan: Plan): string {
  const { mapping, remembered } = plan;
  const matched = `${mapping.filter(Boolean).length} of ${mapping.length} matched`;
  if (remembered) return `${matched}, as was said last time`;
  const guesses = plan.choices?.columns ? [] : guessedColumns(plan);
  return guesses.length > 0 ? `${matched}, ${guesses.length} by guess: ${some(guesses)}` : matched;
}

/** Columns whose headers aren't the fields' own names. */
function guessedColumns({ headers, mapping }: Plan): string[] {
  return mapping.flatMap((field, place) => {
    const header = headers[place] ?? "";
    return field && headerKey(header) !== field.toLowerCase() ? [`“${header}” as ${field}`] : [];
  });
}

/** No category of ours, or none that fits: worth a look. */
function isOpenQuestion({ category, isUntyped }: KindGuess): boolean {
  return category === null || (category === "OTHERS" && !isUntyped);
}

function kindWords(kinds: KindGuess[]): string {
  const typed = kinds.filter(({ isUntyped }) => !isUntyped);
  const unknown = typed.filter(({ category }) => category === null).length;
  const known = typed.flatMap(({ kind, category }) =>
    category && parseCategory(kind) !== category ? [`${kind} as ${categoryName(category)}`] : [],
  );
  const words = [`${typed.length} in the file`];
  if (unknown > 0) words.push(`${unknown} not known here`);
  if (typed.length < kinds.length) words.push("some products of no type");
  return known.length > 0 ? `${words.join(", ")}: ${some(known)}` : words.join(", ");
}

/** The first of them, and how many more there are. */
function some(words: string[]): string {
  const more = words.length - NAMED;
  return words.slice(0, NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
