import { type FormEvent, type MouseEvent, type ReactNode, useState } from "react";
import { localTo } from "~/domain/local-to";
import { dollars } from "~/domain/money";
import { Icon } from "~/ui/Icon";
import { showToast } from "~/ui/Toasts";
import type { SaleCardsData } from "./card-data";
import type { CardActions } from "./SaleCards";

/**
 * Returns the decisions of the visitor.
 *
 * @param refresh reads the cards again after a decision; missing on the page without JavaScript
 */
export const visitorActions = (chatId: string, refresh: DecisionProps["refresh"]): CardActions => ({
  hold: ({ id, state }) =>
    state === "active" && (
      <Decision chatId={chatId} intent="releaseHold" id={id} refresh={refresh}>
        <button type="submit" className="sale-card-button">
          Release
        </button>
      </Decision>
    ),
  quote: ({ id, state }) =>
    state === "sent" && (
      <Decision chatId={chatId} intent="decideQuote" id={id} refresh={refresh}>
        <button type="submit" name="state" value="declined" className="sale-card-button">
          Decline
        </button>
        <button type="submit" name="state" value="accepted" className="sale-card-button accept">
          Accept
        </button>
      </Decision>
    ),
});

interface DecisionProps {
  chatId: string;
  intent: "releaseHold" | "decideQuote";
  /** Of the hold or quote. */
  id: string;
  refresh?: (() => Promise<void>) | undefined;
  children: ReactNode;
}

/** Form of a decision; without JavaScript it posts to the chat's page. */
function Decision({ chatId, intent, id, refresh, children }: DecisionProps) {
  const [isBusy, setBusy] = useState(false);
  const decide = async (event: FormEvent) => {
    if (!refresh) return;
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const message = await send(intent, id, button?.value ?? "").catch(() => FAILED);
    if (message) void showToast("error", message);
    await refresh();
    setBusy(false);
  };
  return (
    <form
      className={intent === "decideQuote" ? "sale-card-decision" : undefined}
      method="post"
      action={localTo(`/chat/${encodeURIComponent(chatId)}#latest`)}
      aria-busy={isBusy || undefined}
      onSubmit={decide}
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="id" value={id} />
      {children}
    </form>
  );
}

const FAILED = "Please try again.";

/** Sends a decision. @returns the message of an error */
async function send(intent: DecisionProps["intent"], id: string, state: string): Promise<string | null> {
  const isHold = intent === "releaseHold";
  const answer = await fetch(`/api/${isHold ? "hold" : "quote"}/${encodeURIComponent(id)}`, {
    method: isHold ? "DELETE" : "PATCH",
    headers: { "Content-Type": "application/json" },
    ...(!isHold && { body: JSON.stringify({ state }) }),
  });
  if (answer.ok) return null;
  const { message } = (await answer.json()) as { message?: string };
  return message ?? FAILED;
}

/** Line above the messages that leads to an open quote, which new messages scroll out of sight. */
export function WaitingQuote({ data }: { data: SaleCardsData | null }) {
  const quote = data?.quotes.find(({ state }) => state === "sent");
  if (!quote) return null;
  const target = `quote-${quote.id}`;
  const show = (event: MouseEvent) => {
    // The panel's pages keep their address.
    event.preventDefault();
    document.getElementById(target)?.scrollIntoView({ block: "center" });
  };
  return (
    <p className="quote-waiting">
      <Icon name="pencil" className="i s" />
      <span>
        <b>{`A quote of ${dollars(quote.totalCents)}`}</b> waits for you
      </span>
      <a href={`#${target}`} onClick={show}>
        Show
      </a>
    </p>
  );
}
