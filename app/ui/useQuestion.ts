import { type FormEvent, useState } from "react";

type SubmitHandler = (event: FormEvent<HTMLFormElement>) => void;

/** Question about unusual values of a form; null for none. */
export type Question = (fields: FormData) => string | null;

/** Stops a form once for each question about its values. */
export function useQuestion(question: Question | undefined, submit: SubmitHandler) {
  const [asked, setAsked] = useState<string | null>(null);
  const onSubmit: SubmitHandler = (event) => {
    const message = question?.(new FormData(event.currentTarget)) ?? null;
    setAsked(message === asked ? null : message);
    if (message !== null && message !== asked) return event.preventDefault();
    submit(event);
  };
  return { asked, onSubmit };
}
