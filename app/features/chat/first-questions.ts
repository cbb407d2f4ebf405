import type { Category } from "~/domain/categories";
import type { FirstQuestions } from "~/domain/first-questions";

const IS_THERE = "Is it there today?";
const IS_BACK = "When will it be back?";

interface AskedProduct {
  /** Pieces that shoppers can buy. */
  stock: number;
  category: Category;
  hasEngraving: boolean;
}

/**
 * Proposes first questions about a product; one press sends one.
 *
 * @param own questions of the shop, which go before those that it brings along
 */
export function firstQuestions(
  { stock, category, hasEngraving }: AskedProduct,
  own: FirstQuestions,
): string[] {
  const proposed = own[category] ?? [
    IS_THERE,
    hasEngraving ? "How long does the engraving take?" : "Which size is it?",
    "Can you wrap it as a gift?",
  ];
  // The card beside them says what is sold out.
  const asked = proposed.map((question) => (question === IS_THERE && stock === 0 ? IS_BACK : question));
  return [...new Set(asked)];
}
