import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from "react";
import { localTo } from "~/domain/local-to";
import { nextQuestion, type Question, type VisitorDetails } from "~/features/chat/introduction";
import { NotifyMe } from "~/features/push/NotifyMe";
import { describedBy, FieldNotes } from "~/ui/Field";
import { errorMessage, introduce } from "../client/api";
import { skippedQuestions, skipQuestion, storeDetails, storedDetails } from "../client/unsent";
import type { VisitorChat } from "./useVisitorChat";

const TEXTS = {
  userEmail: "Where shall we reach you?",
  userName: "For the order: What name shall we put on it?",
};

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

interface QuestionFormProps {
  chatId: string;
  question: Question;
  error?: string | undefined;
  /** Value of the field; without JavaScript its first value. */
  input: { value: string; onChange(event: { target: { value: string } }): void } | { defaultValue: string };
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
  form?: RefObject<HTMLFormElement>;
  /** Another way to answer. */
  children?: ReactNode;
}

/** Line after the first message that asks for the visitor's address or name; without JavaScript it posts to the chat's page. */
export function QuestionForm(props: QuestionFormProps) {
  const { chatId, question, error, input, children, form, onSubmit } = props;
  const text = TEXTS[question];
  return (
    <form
      className="chat-introduction"
      method="post"
      action={localTo(`/chat/${encodeURIComponent(chatId)}#latest`)}
      aria-label={text}
      noValidate
      ref={form}
      onSubmit={onSubmit}
    >
      <label htmlFor="introduction">{text}</label>
      <input type="hidden" name="question" value={question} />
      <input
        className="chat-input"
        id="introduction"
        name={question}
        {...DETAIL_FIELDS[question]}
        {...input}
        {...describedBy("introduction", error)}
      />
      <button type="submit" name="intent" value="introduce" className="chat-link">
        Save
      </button>
      {children}
      <button type="submit" name="intent" value="skip" className="chat-link">
        Skip
      </button>
      <FieldNotes id="introduction" error={error} />
    </form>
  );
}

const SAVE_FAILED = "This could not be saved. Please try again.";

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
    onNotified,
    onSkip: () => question && setSkipped(skipQuestion(chatId, question)),
    onAnswer(next: VisitorDetails) {
      setThanks(next.userEmail ? `Thank you. Answers also go to ${next.userEmail}.` : "Thank you.");
      setDetails(next);
    },
  };
}

/** Open question of the introduction, and the thanks for an answer. */
export function Introduction({ thanks, ...introduction }: ReturnType<typeof useIntroduction>) {
  const { chatId, question, onNotified } = introduction;
  return (
    <>
      {question && (
        <LiveQuestion key={question} {...introduction} question={question}>
          {question === "userEmail" && <NotifyMe chatId={chatId} onChange={onNotified} />}
        </LiveQuestion>
      )}
      <p className="chat-day" role="status">
        {thanks}
      </p>
    </>
  );
}

interface LiveQuestionProps extends Pick<QuestionFormProps, "chatId" | "question" | "children"> {
  onAnswer(details: VisitorDetails): void;
  onSkip(): void;
}

function LiveQuestion({ chatId, question, onAnswer, onSkip, children }: LiveQuestionProps) {
  const form = useRef<HTMLFormElement>(null);
  const [value, setValue] = useState(() => storedDetails()[question]);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    // The form is about to disappear with the focus in it.
    const leave = () => form.current?.closest("section")?.querySelector("textarea")?.focus();
    if (button?.value === "skip") {
      leave();
      return onSkip();
    }
    setBusy(true);
    try {
      const details = await introduce(chatId, question, value);
      storeDetails({ ...storedDetails(), [question]: value.trim() });
      if (form.current?.contains(document.activeElement)) leave();
      onAnswer(details);
    } catch (failure) {
      setError(errorMessage(failure, SAVE_FAILED));
      setBusy(false);
      form.current?.querySelector<HTMLElement>("#introduction")?.focus();
    }
  };
  return (
    <QuestionForm
      chatId={chatId}
      question={question}
      error={error}
      input={{ value, onChange: ({ target }) => setValue(target.value) }}
      onSubmit={submit}
      form={form}
    >
      {children}
    </QuestionForm>
  );
}
