import { useActionData, useNavigation } from "@remix-run/react";
import { localTo } from "~/domain/local-to";
import type { ConsoleParams, Tab } from "~/features/chat/console-params";
import { consoleUrl, parseConsoleParams } from "~/features/chat/console-params";
import type { ConnectionState } from "~/features/conversation/client/connection";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Icon } from "~/ui/Icon";
import { Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import { type Unread, UnreadCount } from "~/ui/UnreadCount";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { useIsSeller } from "~/ui/useIsSeller";
import { ChatList } from "./ChatList";
import { Conversation } from "./Conversation";
import type { ConsoleData } from "./page.server";
import { ResponsesTab } from "./ResponsesTab";
import { SettingsTab } from "./SettingsTab";
import { type LiveConsole, useConsoleShortcuts } from "./useConsole";

const TABS: [Tab, string][] = [
  ["chats", "Chats"],
  ["responses", "Responses"],
  ["settings", "Settings"],
];
/** Sellers set their own notifications alone. */
const SELLER_TABS: typeof TABS = [
  ["chats", "Chats"],
  ["settings", "Notifications"],
];

const STATE_LABELS: Record<ConnectionState, string> = {
  connecting: "Connecting...",
  connected: "Connected",
  reconnecting: "Connecting...",
  disconnected: "Disconnected",
};

interface ConsoleProps {
  page: ConsoleData;
  live: LiveConsole;
}

/** Support chat console: list, conversation, responses and settings. */
export function Console({ page, live }: ConsoleProps) {
  const { params, history, failures } = page;
  const refused = useActionData<RefusedForm>();
  const opening = useOpeningChat(params);
  useConsoleShortcuts(live.chats, opening ? undefined : params.chat);
  const isDeleted = page.isDeleted || (history !== null && history.chat.id === live.deletedId);
  const isConversationOpen = params.tab === "chats" && (opening ?? params.chat) !== null;
  return (
    <>
      <StatusRegion message={refused?.failure} answer={refused} />
      <StatusRegion message={failures.length ? failures.join(". ") : null} answer={page} />
      <section className={`panel console${isConversationOpen ? " is-open" : ""}`} aria-label="Console">
        <Sidebar page={page} current={opening ?? params.chat} live={live} refused={refused} />
        {opening ? (
          <ConversationSkeleton />
        ) : history && !isDeleted ? (
          <Conversation key={history.chat.id} page={page} history={history} live={live} refused={refused} />
        ) : (
          <NoConversation params={params} isDeleted={isDeleted} wasOpen={history !== null} />
        )}
        <DeleteDialog params={params} responses={page.responses} />
      </section>
    </>
  );
}

/** Returns the chat that is being opened; null while none is. */
function useOpeningChat({ chat }: ConsoleData["params"]): string | null {
  const { location, formMethod } = useNavigation();
  if (!location || formMethod === "POST" || location.pathname !== "/admin/chat") return null;
  const next = parseConsoleParams(new URLSearchParams(location.search));
  return next.tab === "chats" && next.chat !== chat ? next.chat : null;
}

/** Placeholder of a conversation that is being opened. */
function ConversationSkeleton() {
  return (
    <div className="conversation conversation-loading" role="status" aria-label="Opening the chat">
      <header className="skeleton" />
      <div className="message-stream">
        <div className="message-stream-items">
          {["", " me", "", "", " me"].map((side, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders are alike
            <span key={i} className={`message skeleton${side}`} />
          ))}
        </div>
      </div>
    </div>
  );
}

interface NoConversationProps extends Pick<ConsoleData, "params" | "isDeleted"> {
  /** The chat was deleted while it was open. */
  wasOpen: boolean;
}

function NoConversation({ params, isDeleted, wasOpen }: NoConversationProps) {
  const deleted = wasOpen
    ? "It has just been deleted, by a colleague or in another tab."
    : "It was deleted, or there never was one here.";
  return (
    <div className="conversation conversation-none">
      <div className="empty-state">
        <span className="empty-state-icon">
          <Icon name="message-square-text" />
        </span>
        {params.chat === null ? (
          <>
            <h2>Select a chat to start messaging</h2>
            <p>Choose a conversation from the sidebar to view and respond to messages.</p>
          </>
        ) : (
          <>
            <h2>{isDeleted ? "This chat is gone" : "Failed to fetch chat messages"}</h2>
            <p>{isDeleted ? deleted : "Please try again in a moment."}</p>
            <Link className="btn" to={consoleUrl(isDeleted ? {} : { chat: params.chat })}>
              {isDeleted ? "Back to chats" : "Try again"}
            </Link>
          </>
        )}
      </div>
    </div>
  );
}

function DeleteDialog({ params, responses }: Pick<ConsoleData, "params" | "responses">) {
  if (!params.deleting) return null;
  const isResponse = params.tab === "responses";
  const response = isResponse && responses?.find(({ id }) => id === params.deleting);
  // A colleague has deleted it.
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
        id: params.deleting,
        ...(response && { was: JSON.stringify(response) }),
        ...(isResponse && params.chat && { chat: params.chat }),
      }}
      back={consoleUrl({ tab: params.tab, chat: params.chat })}
    />
  );
}

interface SidebarProps {
  page: ConsoleData;
  /** Chat that is open or about to be. */
  current: string | null;
  live: LiveConsole;
  refused: RefusedForm | undefined;
}

/** Sidebar with the list of chats, the responses or the settings. */
function Sidebar({ page, current, live, refused }: SidebarProps) {
  const { params, responses, settings, push } = page;
  const isSeller = useIsSeller();
  return (
    <div className={params.tab === "chats" ? "console-sidebar" : "console-sidebar console-sidebar-wide"}>
      <Header params={params} live={live} />
      {params.tab === "chats" && (
        <ChatList page={page} current={current} chats={live.chats} counts={live.counts} />
      )}
      {params.tab === "responses" && !isSeller && (
        <ResponsesTab params={params} responses={responses} refused={refused} />
      )}
      {params.tab === "settings" && (
        <SettingsTab params={params} settings={settings} push={push} refused={refused} />
      )}
    </div>
  );
}

interface HeaderProps {
  params: ConsoleParams;
  live: LiveConsole;
}

/** Title with the connection state, and the tabs. */
function Header({ params, live: { unread, state, reconnect } }: HeaderProps) {
  return (
    <>
      <header>
        <h2>Support Chat</h2>
        <span className="connection-state needs-script" role="status">
          <i className={state === "connected" ? "connection-dot" : "connection-dot off"} aria-hidden="true" />
          {STATE_LABELS[state === "reconnecting" && !navigator.onLine ? "disconnected" : state]}
        </span>
        {state === "disconnected" && (
          <button type="button" className="btn" onClick={reconnect}>
            Reconnect
          </button>
        )}
        <noscript>
          <a className="btn" href={localTo(consoleUrl({ tab: params.tab, chat: params.chat }))}>
            Refresh
          </a>
        </noscript>
      </header>
      <Tabs params={params} unread={unread} />
    </>
  );
}

function Tabs({ params, unread }: { params: ConsoleParams; unread: Unread }) {
  const tabs = useIsSeller() ? SELLER_TABS : TABS;
  return (
    <nav className="console-tabs" aria-label="Console">
      {tabs.map(([tab, name]) => (
        <Link
          key={tab}
          to={consoleUrl({ tab, chat: params.chat })}
          aria-current={tab === params.tab ? "page" : undefined}
          preventScrollReset
        >
          {name}
          {tab === "chats" && <UnreadCount {...unread} />}
        </Link>
      ))}
    </nav>
  );
}
