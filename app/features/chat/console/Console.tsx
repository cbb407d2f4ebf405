import { Link, useActionData } from "@remix-run/react";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Icon } from "~/ui/Icon";
import { StatusRegion } from "~/ui/Toasts";
import { ChatList } from "./ChatList";
import { ConsoleHead } from "./ConsoleHead";
import { Conversation } from "./Conversation";
import type { ConsolePage } from "./page.server";
import { consoleAddress } from "./place";
import { ResponsesTab } from "./ResponsesTab";
import type { Refused } from "./refused";
import { SettingsTab } from "./SettingsTab";
import { useChatKeys } from "./useChatKeys";
import type { useConsole } from "./useConsole";

interface ConsoleProps {
  page: ConsolePage;
  live: ReturnType<typeof useConsole>;
}

/** The support chat console (back office 2). */
export function Console({ page, live }: ConsoleProps) {
  const { place, history, failures } = page;
  const refused = useActionData<Refused>();
  useChatKeys(live.chats, place.chat);
  const isTalk = place.tab === "chats" && place.chat !== null;
  return (
    <>
      <StatusRegion message={refused?.failure} answer={refused} />
      <StatusRegion message={failures.length ? failures.join(". ") : null} answer={page} />
      <section className={`panel console${isTalk ? " is-open" : ""}`} aria-label="Console">
        <Sidebar page={page} live={live} refused={refused} />
        {history ? (
          <Conversation key={history.chat.id} page={page} history={history} live={live} refused={refused} />
        ) : (
          <NoTalk page={page} />
        )}
        <Deleting place={place} responses={page.responses} />
      </section>
    </>
  );
}

function Sidebar({ page, live, refused }: ConsoleProps & { refused: Refused | undefined }) {
  const { place, responses, settings } = page;
  return (
    <div className={place.tab === "chats" ? "console-sidebar" : "console-sidebar console-sidebar-wide"}>
      <ConsoleHead place={place} unread={live.unread} state={live.state} onRetry={live.retry} />
      {place.tab === "chats" && <ChatList page={page} chats={live.chats} />}
      {place.tab === "responses" && <ResponsesTab place={place} responses={responses} refused={refused} />}
      {place.tab === "settings" && <SettingsTab place={place} settings={settings} refused={refused} />}
    </div>
  );
}

function NoTalk({ page: { place, isGone } }: { page: ConsolePage }) {
  return (
    <div className="conversation conversation-none">
      <div className="empty-state">
        <span className="empty-state-icon">
          <Icon name="message-square-text" />
        </span>
        {place.chat === null ? (
          <>
            <h2>Select a chat to start messaging</h2>
            <p>Choose a conversation from the sidebar to view and respond to messages.</p>
          </>
        ) : (
          <>
            <h2>{isGone ? "This chat is gone" : "Failed to fetch chat messages"}</h2>
            <p>{isGone ? "It was deleted, or there never was one here." : "Please try again in a moment."}</p>
            <Link className="btn" to={consoleAddress(isGone ? {} : { chat: place.chat })}>
              {isGone ? "Back to chats" : "Try again"}
            </Link>
          </>
        )}
      </div>
    </div>
  );
}

function Deleting({ place, responses }: Pick<ConsolePage, "place" | "responses">) {
  if (!place.deleting) return null;
  const isResponse = place.tab === "responses";
  const response = isResponse && responses?.find(({ id }) => id === place.deleting);
  // Deleted by somebody else meanwhile.
  if (isResponse && responses && !response) return null;
  return (
    <ConfirmDialog
      title={isResponse ? "Delete Response" : "Delete Chat"}
      message={
        isResponse
          ? "Are you sure you want to delete this predefined response? This action cannot be undone."
          : "Are you sure you want to delete this chat? This action cannot be undone."
      }
      intent={isResponse ? "deleteResponse" : "deleteChat"}
      fields={{
        id: place.deleting,
        ...(response && { was: JSON.stringify(response) }),
        ...(isResponse && place.chat && { chat: place.chat }),
      }}
      back={consoleAddress({ tab: place.tab, chat: place.chat })}
    />
  );
}
