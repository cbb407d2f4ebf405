import type { CardProduct } from "./message-links";

/** Proposes three first questions about a product; one press sends one. */
export function firstQuestions({ stock, choices }: Pick<CardProduct, "stock" | "choices">): string[] {
  return [
    stock > 0 ? "Is it there today?" : "When will it be back?",
    choices?.hasEngraving ? "How long does the engraving take?" : "Which size is it?",
    "Can you wrap it as a gift?",
  ];
}
