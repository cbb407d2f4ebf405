import { consoleUrl } from "~/features/chat/console/params";

interface Target {
  chatId?: string | null | undefined;
  holdId?: string | null | undefined;
  quoteId?: string | null | undefined;
  customerId?: string | null | undefined;
}

function query({ chatId, holdId, quoteId, customerId }: Target): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({
    chat: chatId,
    hold: holdId,
    quote: quoteId,
    customer: customerId,
  }))
    if (value) params.set(name, value);
  return params.toString();
}

/** Builds the heading of a form: its title, and the conversation or the documents above it. */
export const formHeading = (title: string, chatId: string | null) => ({
  title,
  trail: [
    chatId
      ? { to: consoleUrl({ chat: chatId }), title: "Support Chat" }
      : { to: "/admin/documents", title: "Invoices" },
  ],
});

/** Address of Record sale, filled from a chat, hold or quote, or for a customer. */
export const recordUrl = (target: Target = {}) => `/admin/sales/new?${query(target)}`;
/** Address of the form that sets products aside, or of a hold. */
export const holdUrl = (target: Target) => `/admin/sales/hold?${query(target)}`;
/** Address of the form of a quote. */
export const quoteUrl = (target: Target) => `/admin/sales/quote?${query(target)}`;
