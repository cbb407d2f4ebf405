import type { MouseEvent } from "react";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import type { SaleCardsData } from "./card-data";

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
