import { z } from "zod";
import { Product } from "~/features/catalogue/answers";
import { PRODUCT } from "~/features/catalogue/product";
import { ChatMessage } from "~/features/chat/protocol";
import { Document } from "~/features/sales/answers";
import { Count, Id } from "~/http/answers";
import type { WebhookEvent } from "./schema";

/** Rules of webhooks, for the API's document and its page. */
export const WEBHOOKS =
  'Signed as Standard Webhooks (standardwebhooks.com) says: webhook-id, webhook-timestamp and webhook-signature, an HMAC-SHA256 with the secret of the webhook. An answer of 2xx within 10 seconds accepts the event; redirects are not followed. A refused one is sent six times in 22 hours, with the same id; the order is not guaranteed. "Send a test event" on the page Integrations sends one of the type test.';

/** Schemas of the events' data; the API's document has them. */
export const EVENTS: Record<WebhookEvent, { summary: string; data: z.ZodType }> = {
  "sale.recorded": { summary: "A sale was recorded; one event for each document", data: Document },
  "chat.message": {
    summary: "A visitor or a member of staff wrote in a conversation; the event has the whole text",
    data: ChatMessage,
  },
  "stock.low": {
    summary: "What is available of a product fell to the limit of the webhook, once for each fall",
    data: z.object({
      productId: Id,
      name: PRODUCT.answers.name,
      stock: Count,
      available: Count,
      threshold: Count,
    }),
  },
  "product.changed": {
    summary:
      "A product was added, changed or deleted (then null), or its stock has changed; without its description",
    data: z.object({
      productId: Id,
      product: Product.omit({ description: true, productId: true }).nullable(),
    }),
  },
};

export const eventBody = (event: WebhookEvent) =>
  z.object({
    type: z.literal(event),
    timestamp: z.string().meta({ description: "ISO 8601", examples: ["2026-11-22T15:00:00.000Z"] }),
    data: EVENTS[event].data,
  });
