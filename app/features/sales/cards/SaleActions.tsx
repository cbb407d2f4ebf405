import { Link } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { dollars } from "~/ui/money";
import type { ConversationSales } from "./conversation.server";
import { holdUrl, quoteUrl, recordUrl } from "./urls";

interface SaleActionsProps {
  chatId: string;
  /** null when it could not be read. */
  sales: ConversationSales | null;
}

/** Next steps of a conversation: record its sale, set products aside, send a quote. */
export function SaleActions({ chatId, sales }: SaleActionsProps) {
  const cents = sales?.proposedCents ?? 0;
  return (
    <div className="sale-actions">
      <Link className="btn primary" to={recordUrl({ chatId })} prefetch="intent" data-record>
        Record sale {cents > 0 && <span className="sale-amount">{dollars(cents)}</span>}
        <span className="needs-script" aria-hidden="true">
          <kbd>R</kbd>
        </span>
      </Link>
      <Link className="btn" to={holdUrl({ chatId })} data-hold>
        <Icon name="package-check" className="i s" />
        Set aside
      </Link>
      <Link className="btn" to={quoteUrl({ chatId })}>
        <Icon name="pencil" className="i s" />
        Quote
      </Link>
    </div>
  );
}
