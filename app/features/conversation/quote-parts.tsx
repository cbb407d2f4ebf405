import type { MouseEvent } from "react";
import { localTo } from "~/domain/local-to";
import type { QuotedMessage } from "~/features/chat/protocol";
import { Icon } from "~/ui/Icon";

/** Id of a message's element, to which its quotes lead. */
export const anchorOf = ({ id }: { id: string }) => `m-${id}`;

interface QuoteProps {
  quoted: QuotedMessage | undefined;
  /** Its writer, as its reader knows them. */
  by: string;
}

/** Message to which another one replies, above its text; a press leads to it. */
export function Quote({ quoted, by }: QuoteProps) {
  if (!quoted) return null;
  const { senderName, text } = quoted;
  const show = (event: MouseEvent) => {
    const message = document.getElementById(anchorOf(quoted));
    event.preventDefault();
    if (!message) return;
    message.scrollIntoView({ block: "center" });
    // Only then: a press on any other message must not frame it.
    message.tabIndex = -1;
    message.focus();
  };
  return (
    <a className="quote" href={`#m-${quoted.id}`} target="_self" onClick={show}>
      {senderName && <b>{by}</b>} {text}
    </a>
  );
}

interface ReplyBarProps extends QuoteProps {
  /** Address of the page without the reply. */
  back: string;
  onCancel?(): void;
}

/** Message to which the next one replies, above its field. */
export function ReplyBar({ quoted, by, back, onCancel }: ReplyBarProps) {
  if (!quoted) return null;
  return (
    <div className="reply-bar">
      <span className="truncate">
        Reply to <b>{by}</b> {quoted.text}
      </span>
      <a href={localTo(back)} target="_self" aria-label="Don't reply" onClick={onCancel && pressOf(onCancel)}>
        <Icon name="x" />
      </a>
    </div>
  );
}

/** Runs an act in place of a link's page. */
const pressOf = (act: () => void) => (event: MouseEvent) => {
  event.preventDefault();
  act();
};

interface ReplyLinkProps {
  /** Address of the page that replies to the message, without JavaScript. */
  to: string;
  onReply: (() => void) | undefined;
}

/** Link that quotes a message in the next one. Its target keeps it from leaving the panel (app/ui/back-closes.ts). */
export const ReplyLink = ({ to, onReply }: ReplyLinkProps) => (
  <a className="reply-link" href={localTo(to)} target="_self" onClick={onReply && pressOf(onReply)}>
    Reply
  </a>
);
