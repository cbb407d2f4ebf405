import { consoleUrl } from "~/features/chat/console-params";
import type { ChatMessage } from "~/features/chat/protocol";
import { Link } from "~/ui/navigation";
import type { ConsoleData } from "./page.server";

/** Link beside a message that came by mail, which shows and hides the whole mail. */
export function MailLink({ message: { chatId, id }, isOpen }: { message: ChatMessage; isOpen: boolean }) {
  return (
    <Link
      className="mail-link"
      to={consoleUrl({ chat: chatId, mail: isOpen ? null : id })}
      preventScrollReset
      replace
    >
      {isOpen ? "Hide full mail" : "Show full mail"}
    </Link>
  );
}

/** Mail that became a message, with the quoted text and the signature that the message leaves out. */
export function FullMail({ mail: { sender, subject, text } }: { mail: NonNullable<ConsoleData["mail"]> }) {
  return (
    <section className="full-mail" aria-label="Full mail">
      <b>{subject || "Without subject"}</b>
      <span className="soft">{sender || "Unknown sender"}</span>
      <pre>{text}</pre>
    </section>
  );
}
