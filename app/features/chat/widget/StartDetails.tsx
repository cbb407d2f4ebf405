import { useState } from "react";
import { showToast } from "~/ui/Toasts";
import { createChat, mayBeEmail, words } from "../client/api";
import { detailsTyped, keepDetails, type Details as Person } from "../client/storage";
import type { Gone } from "../client/useConversation";
import { Write } from "./Composer";

const BAD_EMAIL = "Please enter a valid email address";

interface DetailsProps {
  /** Why the chat before can't go on. */
  gone: Gone | null;
  /** null: not known yet. */
  online: boolean | null;
  onBegun(chatId: string): void;
}

/** Before a chat exists: who is writing, if they like, and the first message (spec 2, 5). */
export function Details({ gone, online, onBegun }: DetailsProps) {
  const { userName, userEmail, set, error, begin } = useBeginning(onBegun);
  return (
    <>
      <div className="chat-start">
        {gone === "deleted" && <p className="chat-day">That chat has ended. You can start a new one.</p>}
        <p className="chat-bubble">
          Welcome! Please enter your details to start chatting with our support team.
        </p>
        {online === false && (
          <p className="chat-bubble">We are away just now. Leave your email, and the answer comes to you.</p>
        )}
        <DetailField
          label="Your name (optional)"
          autoComplete="name"
          value={userName}
          onChange={(name) => set({ userName: name, userEmail })}
        />
        <DetailField
          label="Your email (optional)"
          autoComplete="email"
          value={userEmail}
          onChange={(email) => set({ userName, userEmail: email })}
          error={error}
        />
      </div>
      <Write chatId="" placeholder="Your message..." onSend={begin} optional />
    </>
  );
}

function useBeginning(onBegun: DetailsProps["onBegun"]) {
  const [person, setPerson] = useState(detailsTyped);
  const [wrong, setWrong] = useState<string | null>(null);
  const userName = person.userName.trim();
  const userEmail = person.userEmail.trim();
  const begin = async (initialMessage: string): Promise<boolean> => {
    if (!mayBeEmail(userEmail)) {
      setWrong(userEmail);
      document.querySelector<HTMLElement>(".chat-start [autocomplete=email]")?.focus();
      return refused(BAD_EMAIL);
    }
    const details = { userName, userEmail, isAnonymous: userEmail === "" };
    try {
      const { chatId } = await createChat({ ...details, ...(initialMessage && { initialMessage }) });
      showToast("success", "Chat started successfully!");
      onBegun(chatId);
      return true;
    } catch (error) {
      return refused(words(error, "Failed to start chat. Please try again."));
    }
  };
  const set = (next: Person) => {
    keepDetails(next);
    setPerson(next);
  };
  return { ...person, set, begin, error: wrong === userEmail ? BAD_EMAIL : undefined };
}

function refused(why: string): false {
  showToast("error", why);
  return false;
}

interface DetailFieldProps {
  label: string;
  autoComplete: "name" | "email";
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
}

function DetailField({ label, autoComplete, value, onChange, error }: DetailFieldProps) {
  const note = error ? `chat-${autoComplete}-error` : undefined;
  return (
    <div>
      <input
        className="chat-input"
        type="text"
        inputMode={autoComplete === "email" ? "email" : "text"}
        placeholder={label}
        aria-label={label}
        autoComplete={autoComplete}
        maxLength={autoComplete === "email" ? 254 : 100}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={note}
        onChange={(event) => onChange(event.target.value)}
      />
      {error && (
        <p className="chat-error" id={note}>
          {error}
        </p>
      )}
    </div>
  );
}
