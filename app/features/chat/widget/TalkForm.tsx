import type { FormEvent, ReactNode } from "react";
import { talk } from "./StartChatForm.";

interface TalkFormProps {
  /** Whose action begins the chat. */
  page: "/cart";
  /** What is sent: `intent` and what it is about. */
  fields: Record<string, string>;
  children?: ReactNode;
}

/** A form that begins a chat: a plain post leads to the chat's page, with a script the panel opens on it. */
export function TalkForm({ page, fields, children }: TalkFormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    void talk(page, fields);
  };
  return (
    <form method="post" action={page} onSubmit={send}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
