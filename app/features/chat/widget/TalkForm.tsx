import type { FormEvent, ReactNode } from "react";
import { talk } from "./starting";

interface TalkFormProps {
  id?: string;
  /** Whose action begins the chat. */
  page: "/chat" | "/cart";
  /** What is sent: `intent` and what it is about. */
  fields: Record<string, string>;
  children?: ReactNode;
}

let busy = false;

/** A form that begins a chat: a plain post leads to the chat's page, with a script the panel opens on it. */
export function TalkForm({ id, page, fields, children }: TalkFormProps) {
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    await talk(page, fields);
    busy = false;
  };
  return (
    <form id={id} method="post" action={page} onSubmit={send}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}
