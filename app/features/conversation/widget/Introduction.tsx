import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { localTo } from "~/domain/local-to";
import type { Question, VisitorDetails } from "~/features/chat/introduction";
import { NotifyMe } from "~/features/push/NotifyMe";
import { describedBy, FieldNotes } from "~/ui/Field";
import { errorMessage, introduce } from "../client/api";
import { storeDetails, storedDetails } from "../client/unsent";
import { DETAIL_FIELDS, type useIntroduction } from "./useIntroduction";

const TEXTS = {
  userEmail: "Where shall we reach you?",
  userName: "For the order: What name shall we put on it?",
};

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

/** Scrolls the log to its end again: the question is drawn after the messages. */
function useShownForm() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const log = form.current?.closest(".chat-log");
    if (log) log.scrollTop = log.scrollHeight;
  }, []);
  return form;
}

function LiveQuestion({ chatId, question, onAnswer, onSkip, children }: LiveQuestionProps) {
  const form = useShownForm();
  const [value, setValue] = useState(() => storedDetails()[question]);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const button = (event.nativeEvent as SubmitEvent).submitter;
    // The form is about to disappear with the focus in it.
    const leave = () => form.current?.closest("section")?.querySelector("textarea")?.focus();
    if (button?.matches("[value=skip]")) {
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
