import { type FormEvent, useState } from "react";

type SubmitHandler = (event: FormEvent<HTMLFormElement>) => void;

/** Asks about unusual values of a form; null for none. @param now epoch seconds */
export type Question = (fields: FormData, now: number) => string | null;

/** Answer of the action, which may ask the question itself. */
type Answer =
  | { lastResult: { initialValue?: Record<string, unknown> | null | undefined } | null }
  | undefined;

/**
 * Stops a form once for each question about its values, as the server does without JavaScript.
 *
 * @returns `answeredQuestion`, the question that the form has been stopped for, which it sends along
 */
export function useQuestion(question: Question | undefined, submit: SubmitHandler, answer: Answer) {
  const [asked, setAsked] = useState<string | null>(null);
  const sent = answer?.lastResult?.initialValue?.answeredQuestion;
  const answeredQuestion = asked ?? (typeof sent === "string" ? sent : null);
  const onSubmit: SubmitHandler = (event) => {
    const message = question?.(new FormData(event.currentTarget), Date.now() / 1000) ?? null;
    const isNew = message !== null && message !== answeredQuestion;
    setAsked(isNew ? message : null);
    if (isNew) return event.preventDefault();
    submit(event);
  };
  return { asked, answeredQuestion, onSubmit };
}
