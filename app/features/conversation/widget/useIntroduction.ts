import { useState } from "react";
import { nextQuestion, type Question, type VisitorDetails } from "~/features/chat/introduction";
import { skippedQuestions, skipQuestion } from "../client/unsent";
import type { VisitorChat } from "./useVisitorChat";

/** Attributes of the fields for a visitor's details. */
export const DETAIL_FIELDS = {
  userName: { placeholder: "Your name", autoComplete: "name", autoCapitalize: "words", maxLength: 100 },
  userEmail: {
    placeholder: "Your email",
    autoComplete: "email",
    inputMode: "email",
    autoCapitalize: "none",
    maxLength: 254,
  },
} as const;

/**
 * Asks for address and name after the first message, one at a time; each can be skipped.
 *
 * @returns the open question; `onNotified` receives whether this browser is notified, which answers the first one
 */
export function useIntroduction(chatId: string, chat: VisitorChat, isStaff: boolean) {
  const { details, setDetails, store } = chat;
  const [isNotified, onNotified] = useState(false);
  const [skipped, setSkipped] = useState(() => skippedQuestions(chatId));
  const [thanks, setThanks] = useState("");
  const isAsked = !isStaff && store.messages.some(({ isFromAdmin }) => !isFromAdmin);
  const answered: Question[] = isNotified ? ["userEmail", ...skipped] : skipped;
  const question = details && isAsked ? nextQuestion(details, answered) : null;
  return {
    chatId,
    question,
    thanks,
    isShown: question !== null || thanks !== "",
    onNotified,
    onSkip: () => question && setSkipped(skipQuestion(chatId, question)),
    onAnswer(next: VisitorDetails) {
      setThanks(next.userEmail ? `Thank you. Answers also go to ${next.userEmail}.` : "Thank you.");
      setDetails(next);
    },
  };
}
