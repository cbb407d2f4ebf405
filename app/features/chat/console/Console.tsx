import { Link, useActionData, useNavigation } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { ConfirmDialog } from "~/ui/modal";
import { StatusRegion } from "~/ui/Toasts";
import { Conversation } from "./Conversation";
import type { ConsoleData } from "./page.server";
import { consoleUrl, parseConsoleParams } from "./params";
import type { RejectedForm } from "./rejected-form";
import { Sidebar } from "./Sidebar";
import type { LiveConsole } from "./useConsole";
import { useConsoleShortcuts } from "./useConsoleShortcuts";

interface ConsoleProps {
  page: ConsoleData;
  live: LiveConsole;
}

/** Support chat console: list, conversation, responses and settings. */
export function Console({ page, live }: ConsoleProps) {
  const { params, history, failures } = page;
  const rejected = useActionData<RejectedForm>();
  useConsoleShortcuts(live.chats, params.chat);
  const opening = useOpeningChat(params);
  const isDeleted = page.isDeleted || (history !== null && history.chat.id === live.deletedId);
  const isConversationOpen = params.tab === "chats" && (opening ?? params.chat) !== null;
  return (
    <>
      <StatusRegion message={rejected?.failure} answer={rejected} />
      <StatusRegion message={failures.length ? failures.join(". ") : null} answer={page} />
      <section className={`panel console${isConversationOpen ? " is-open" : ""}`} aria-label="Console">
        <Sidebar page={page} current={opening ?? params.chat} live={live} rejected={rejected} />
        {opening ? (
          <ConversationSkeleton />
        ) : history && !isDeleted ? (
          <Conversation key={history.chat.id} page={page} history={history} live={live} rejected={rejected} />
        ) : (
          <NoConversation params={params} isDeleted={isDeleted} />
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

function NoConversation({ params, isDeleted }: Pick<ConsoleData, "params" | "isDeleted">) {
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
            <p>
              {isDeleted ? "It was deleted, or there never was one here." : "Please try again in a moment."}
            </p>
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
