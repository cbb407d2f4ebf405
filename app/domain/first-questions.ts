import type { Category } from "./categories";

/** First questions about the products of a category; those that the shop brings along for one without. */
export type FirstQuestions = { [Name in Category]?: string[] | undefined };

/** First questions of a category. */
export const MAX_FIRST_QUESTIONS = 3;
