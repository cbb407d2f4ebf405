import { NEW_CUSTOMER } from "./limits";
import type { ChatView } from "./protocol";

/** Questions that a conversation asks after the first message, one at a time: the fields that they fill. */
export const QUESTIONS = ["userEmail", "userName"] as const;
export type Question = (typeof QUESTIONS)[number];

/** Known name and e-mail address of a visitor. */
export type VisitorDetails = Pick<ChatView, Question>;

/** Returns the next question; null once name and address are known or skipped. */
export function nextQuestion(
  { userEmail, userName }: VisitorDetails,
  skipped: readonly Question[],
): Question | null {
  const isOpen = { userEmail: userEmail === "", userName: userName === "" || userName === NEW_CUSTOMER };
  return QUESTIONS.find((question) => isOpen[question] && !skipped.includes(question)) ?? null;
}
