import type { ReactNode } from "react";
import { CATEGORIES, type Category, parseCategory } from "~/domain/categories";
import { categoryName } from "~/domain/category-name";
import { Icon } from "~/ui/Icon";
import type { CategoryGuess, Plan } from "./plan";

interface CategoryChoicesProps {
  plan: Plan;
  /** Chooses a category. @param sourceCategory "" for all products without a category */
  onChoose: (sourceCategory: string, category: Category | null) => void;
}

/** Table of the categories that the file names; products without one share a row and are listed by name below it. */
export function CategoryChoices({ plan, onChoose }: CategoryChoicesProps) {
  const { categories, choices } = plan;
  const uncategorised = categories.filter(({ isUncategorised }) => isUncategorised);
  const named = categories.filter(({ isUncategorised }) => !isUncategorised);
  const guessed = named.filter((guess) => !isShopCategory(guess));
  const exact = guessed.length > 0 ? named.filter(isShopCategory) : [];
  const { products, kept } = plan.uncategorised;
  return (
    <>
      <table className="small-table mapping">
        <thead>
          <tr>
            <th scope="col">In your file</th>
            <th scope="col">Category</th>
            <th scope="col">Products</th>
          </tr>
        </thead>
        <tbody>
          {(exact.length > 0 ? guessed : named).map((guess) => (
            <CategoryRow key={guess.sourceCategory} guess={guess} onChoose={onChoose} />
          ))}
          {products > 0 && (
            <Row
              title={<i className="soft">No category</i>}
              label="No category"
              products={products}
              value={choices?.categories[""] ?? null}
              placeholder={withoutCategory({ products, kept })}
              onChoose={(category) => onChoose("", category)}
            />
          )}
        </tbody>
      </table>
      {exact.length > 0 && <More title="The shop’s own categories" guesses={exact} onChoose={onChoose} />}
      {products > 0 && (
        <More title="Products without a category, by name" guesses={uncategorised} onChoose={onChoose} />
      )}
    </>
  );
}

/** Describes the category of products for which neither the file nor staff name one. */
function withoutCategory({ products, kept }: Pick<CategoryGuess, "products" | "kept">): string {
  if (kept === products) return "Stays as it is";
  return kept > 0 ? "Stored ones keep theirs, others by name" : "Guessed from each name";
}

/** Detects a category that the file names as the shop does. */
function isShopCategory({ sourceCategory, category }: CategoryGuess): boolean {
  return category !== null && parseCategory(sourceCategory) === category;
}

interface MoreProps {
  title: string;
  guesses: CategoryGuess[];
  onChoose: CategoryChoicesProps["onChoose"];
}

function More({ title, guesses, onChoose }: MoreProps) {
  return (
    <details className="by-name">
      <summary>
        <Icon name="chevron-right" className="i s chev" />
        {title}
      </summary>
      <table className="small-table mapping">
        <tbody>
          {guesses.map((guess) => (
            <CategoryRow key={guess.sourceCategory} guess={guess} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function CategoryRow({ guess, onChoose }: { guess: CategoryGuess } & Pick<CategoryChoicesProps, "onChoose">) {
  const { sourceCategory, products, category, kept } = guess;
  const isKept = kept === products;
  return (
    <Row
      title={sourceCategory}
      label={sourceCategory}
      products={products}
      value={isKept ? null : category}
      placeholder={isKept ? withoutCategory(guess) : category === null ? "Unknown: choose" : null}
      onChoose={(chosen) => chosen && onChoose(sourceCategory, chosen)}
    />
  );
}

interface RowProps extends SelectProps {
  title: ReactNode;
  products: number;
}

function Row({ title, products, ...select }: RowProps) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>
        <Select {...select} />
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
  /** Label of the empty option; null where a category is required. */
  placeholder: string | null;
  onChoose: (category: Category | null) => void;
}

function Select({ label, value, placeholder, onChoose }: SelectProps) {
  return (
    <select
      className="select"
      aria-label={`Category of ${label}`}
      value={value ?? ""}
      onChange={({ target }) => onChoose((target.value || null) as Category | null)}
    >
      {placeholder !== null && <option value="">{placeholder}</option>}
      {CATEGORIES.map((each) => (
        <option key={each} value={each}>
          {categoryName(each)}
        </option>
      ))}
    </select>
  );
}
