import { useEffect, useRef } from "react";
import { consoleUrl } from "~/features/chat/console-params";
import type { ChatMessage } from "~/features/chat/protocol";
import { Link } from "~/ui/navigation";
import type { ConsoleData } from "./page.server";

/** Id of the mail that is shown in full, to which its link leads without a script. */
const FULL_MAIL = "full-mail";

/** Link beside a message that came by mail, which shows and hides the whole mail. */
export function MailLink({ message: { chatId, id }, isOpen }: { message: ChatMessage; isOpen: boolean }) {
  return (
    <Link
      className="mail-link"
      to={consoleUrl({ chat: chatId, mail: isOpen ? null : id }) + (isOpen ? "" : `#${FULL_MAIL}`)}
      preventScrollReset
      replace
    >
      {isOpen ? "Hide full mail" : "Show full mail"}
    </Link>
  );
}

/** Reads the address of a header `From`. */
const addressIn = (sender: string) => (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim().toLowerCase();

interface FullMailProps {
  mail: NonNullable<ConsoleData["mail"]>;
  /** Address of the visitor; "" while unknown. */
  address: string;
}

/** Mail that became a message, with the quoted text and the signature that the message leaves out. */
export function FullMail({ mail, address }: FullMailProps) {
  const { sender, subject, text, userId, customerAddress } = mail;
  // The mail came to an address that the shop gave the visitor alone, so that it was passed on or forwarded.
  const known = [address, customerAddress].filter(Boolean).map((each) => each.toLowerCase());
  const isForeign = userId === null && !known.includes(addressIn(sender));
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section className="full-mail" id={FULL_MAIL} ref={section} aria-label="Full mail">
      <b>{subject || "Without subject"}</b>
      <span className="soft">{sender || "Unknown sender"}</span>
      {isForeign && <b>From another address than the visitor's. Who wrote it is not certain.</b>}
      <pre>{text}</pre>
    </section>
  );
}
