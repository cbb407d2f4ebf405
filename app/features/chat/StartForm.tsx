import type { SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { describedBy, Field, FieldNotes } from "~/ui/Field";
import { Icon } from "~/ui/Icon";
import { SubmitButton } from "~/ui/SubmitButton";
import { CharactersLeft, charactersLeft } from "./CharactersLeft";
import { MESSAGE_LIMIT } from "./limits";
import { keepWords, wordsFor } from "./client/storage";

/**
 * The details entry as a plain form (spec 2, Support chat widget).
 *
 * @param lastResult what the server refused, with what was typed
 */
export function StartForm({ lastResult }: { lastResult?: SubmissionResult<string[]> | null | undefined }) {
  const typed = (name: string) => {
    const value = lastResult?.initialValue?.[name];
    return typeof value === "string" ? value : "";
  };
  const error = (name: string) => lastResult?.error?.[name]?.[0];
  const field = (name: string) => ({
    id: `start-${name}`,
    name,
    defaultValue: typed(name),
    error: error(name),
  });
  return (
    <Form
      method="post"
      action="/chat?index"
      className="chat-form"
      noValidate
      onSubmit={() => keepWords("", { draft: "" })}
    >
      <p className="bubble bubble-soft">
        Welcome! Please enter your details to start chatting with our support team.
      </p>
      <Field {...field("userName")} label="Your name (optional)" autoComplete="name" maxLength={100} />
      <Field {...field("userEmail")} label="Your email (optional)" type="email" autoComplete="email" />
      <MessageField typed={typed("initialMessage")} error={error("initialMessage")} />
      <SubmitButton intent="start" busy="Starting chat..." className="btn btn-talk">
        <Icon name="message-circle" /> Start chat
      </SubmitButton>
    </Form>
  );
}

function MessageField({ typed, error }: { typed: string; error: string | undefined }) {
  const text = useRef<HTMLTextAreaElement>(null);
  const [left, setLeft] = useState(charactersLeft(typed));
  const look = useCallback(() => setLeft(charactersLeft(text.current?.value ?? "")), []);
  useEffect(() => {
    // What a chat that has ended left unsaid.
    if (text.current && !text.current.value) text.current.value = wordsFor("").draft;
    look();
  }, [look]);
  return (
    <div className="field">
      <label htmlFor="start-message">Your message...</label>
      <textarea
        ref={text}
        className="input"
        name="initialMessage"
        rows={4}
        defaultValue={typed}
        {...describedBy("start-message", error)}
        onInput={look}
        id="start-message"
      />
      <CharactersLeft left={left} />
      <noscript>
        <p className="hint">{MESSAGE_LIMIT}</p>
      </noscript>
      <FieldNotes id="start-message" error={error} />
    </div>
  );
}
