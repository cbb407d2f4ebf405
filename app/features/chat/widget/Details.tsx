import { useState } from "react";
import { showToast } from "~/ui/Toasts";
import { createChat, mayBeEmail, words } from "./calls";
import { Write } from "./Write";

const BAD_EMAIL = "Please enter a valid email address";

/** Before a chat exists: who is writing, if they like, and the first message (spec 2, 5). */
export function Details({ onBegun }: { onBegun(chatId: string): void }) {
  const [userName, setName] = useState("");
  const [userEmail, setEmail] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const begin = async (initialMessage: string) => {
    const email = userEmail.trim();
    if (!mayBeEmail(email)) {
      setWrong(email);
      return refused(BAD_EMAIL);
    }
    const person = { userName: userName.trim(), userEmail: email, isAnonymous: email === "" };
    try {
      const { chatId } = await createChat({ ...person, ...(initialMessage && { initialMessage }) });
      showToast("success", "Chat started successfully!");
      onBegun(chatId);
      return true;
    } catch (error) {
      return refused(words(error, "Failed to start chat. Please try again."));
    }
  };
  return (
    <>
      <div className="chat-start">
        <p className="say say-soft">
          Welcome! Please enter your details to start chatting with our support team.
        </p>
        <DetailField label="Your name (optional)" autoComplete="name" value={userName} onChange={setName} />
        <DetailField
          label="Your email (optional)"
          autoComplete="email"
          value={userEmail}
          onChange={setEmail}
          error={wrong === userEmail.trim() ? BAD_EMAIL : undefined}
        />
      </div>
      <Write placeholder="Your message..." onSend={begin} optional />
    </>
  );
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
    <div className="field">
      <input
        className="input"
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
        <p className="error" id={note}>
          {error}
        </p>
      )}
    </div>
  );
}
