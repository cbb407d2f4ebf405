import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Icon } from "~/ui/Icon";
import { Dot, LineNote } from "./Line";
import type { Shown } from "../client/storage";
import { SellerNote } from "./SellerNote";
import type { Conversation } from "../client/useConversation";

interface FrameProps extends Pick<Conversation, "line"> {
  /** Whether somebody asked for it: then the focus goes there. On a new page it stays where it is. */
  isWanted: RefObject<boolean>;
  onShow(shown: Shown): void;
}

interface PanelProps extends FrameProps, Pick<Conversation, "reconnect" | "online"> {
  /** Nothing to write in yet. */
  isAsking: boolean;
  children: ReactNode;
}

/** The panel: its head, what is wrong with the line, and what stands in it. */
export function Panel({ line, online, reconnect, isWanted, isAsking, onShow, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted.current || isAsking) return;
    // A finger would bring up the keyboard over what was said.
    const field = matchMedia("(pointer: fine)").matches && panel.current?.querySelector("textarea");
    (field || panel.current)?.focus();
  }, [isWanted, isAsking]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onShow("closed");
  };
  return (
    <section
      className="chat"
      role="dialog"
      aria-labelledby="chat-t"
      tabIndex={-1}
      ref={panel}
      onKeyDown={onKeyDown}
    >
      <header className="chat-head">
        <Dot line={line} />
        <h2 id="chat-t">Support Chat</h2>
        <span role="status">{online === null || (online ? "Online" : "Away")}</span>
        <button type="button" aria-label="Minimise" onClick={() => onShow("bar")}>
          <Icon name="minus" />
        </button>
        <CloseButton onShow={onShow} />
      </header>
      <div>
        <LineNote line={line} reconnect={reconnect} />
        <SellerNote />
      </div>
      {children}
    </section>
  );
}

/** The small bar of a panel that was minimised (spec 2). */
export function Bar({ line, unread, isWanted, onShow }: FrameProps & { unread: number }) {
  const open = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isWanted.current) open.current?.focus();
  }, [isWanted]);
  return (
    <div className="chat-bar chat-head">
      <Dot line={line} />
      <button type="button" className="chat-open" ref={open} onClick={() => onShow("open")}>
        Support Chat
        {unread > 0 && (
          <span className="chat-bar-count">
            {unread}
            <span className="visually-hidden"> unread</span>
          </span>
        )}
        <Icon name="chevron-up" />
      </button>
      <CloseButton onShow={onShow} />
    </div>
  );
}

function CloseButton({ onShow }: Pick<FrameProps, "onShow">) {
  return (
    <button type="button" aria-label="Close chat" onClick={() => onShow("closed")}>
      <Icon name="x" />
    </button>
  );
}
