import { z } from "zod";
import { Product } from "~/features/catalogue/answers";
import { ChatMessage } from "~/features/chat/protocol";
import type { WebhookEvent } from "~/features/integrations/schema";
import { Document } from "~/features/sales/answers";

/** Meaning of the statuses of errors. */
export const ERRORS: Record<number, string> = {
  400: "Invalid input",
  401: "Not signed in, or an API key that is not valid",
  403: "Not permitted",
  404: "Not found",
  409: "Conflict with what is stored",
  413: "Body too large",
  415: "Unsupported type of body",
  429: "Too many requests; Retry-After tells when to try again",
  500: "Internal error",
  503: "Temporarily unavailable; Retry-After tells when to try again",
};

/** Headings of the page of the API, by the first segment of the routes. */
export const HEADINGS: Record<string, string> = {
  auth: "Sign-in",
  product: "Products",
  storage: "Pictures",
  user: "Users",
  invoice: "Sales entries",
  expense: "Expenses",
  sale: "Sales",
  hold: "Holds",
  quote: "Quotes",
  customer: "Customers",
  chat: "Conversations",
  push: "Notifications",
  favourite: "Favourites",
};

/** Rules of API keys and of webhooks, which the page of the API shows too. */
export const KEYS =
  "API key of a member of staff, made in the back office under Integrations. It acts as its owner, with the scope read only in GET, changes no accounts, and is sent in this header alone: a key in the URL is refused. 600 calls a minute.";
export const WEBHOOKS =
  "Signed as Standard Webhooks (standardwebhooks.com) says: webhook-id, webhook-timestamp and webhook-signature, an HMAC-SHA256 with the secret of the webhook. An answer of 2xx within 10 seconds accepts the event; redirects are not followed. A refused one is sent six times in 22 hours, with the same id; the order is not guaranteed.";

const LowStock = z.object({
  productId: z.string(),
  name: z.string(),
  stock: z.int().min(0),
  available: z.int().min(0),
  threshold: z.int().min(0),
});

/** Time of an event. */
export const TIMESTAMP = z.string().meta({ description: "ISO 8601", examples: ["2026-11-22T15:00:00.000Z"] });

/** Describes the events of webhooks. */
export const EVENTS: Record<WebhookEvent, { summary: string; data: z.ZodType }> = {
  "sale.recorded": { summary: "A sale was recorded; one event for each document", data: Document },
  "chat.message": {
    summary: "A visitor or a member of staff wrote in a conversation; the event has the whole text",
    data: ChatMessage,
  },
  "stock.low": {
    summary: "What is available of a product fell to the limit of the webhook, once for each fall",
    data: LowStock,
  },
  "product.changed": {
    summary:
      "A product was added, changed or deleted (then null), or its stock has changed; without its description",
    data: z.object({
      productId: z.string(),
      product: Product.omit({ description: true, productId: true }).nullable(),
    }),
  },
};
