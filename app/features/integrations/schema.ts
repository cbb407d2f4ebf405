import { z } from "zod";
import { MAX_FACTOR_CODE } from "~/features/accounts/factor/schema";
import { CURRENT_PASSWORD_REQUIRED } from "~/features/accounts/schema";
import { id, isPublicHttpsUrl, password, requiredText, wholeNumber } from "~/http/fields";

/** Page of keys and webhooks. */
export const INTEGRATIONS_PATH = "/admin/integrations";

/** Events that a webhook can receive. */
export const WEBHOOK_EVENTS = ["sale.recorded", "chat.message", "stock.low", "product.changed"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const EVENT_LABELS: Record<WebhookEvent, string> = {
  "sale.recorded": "A sale is recorded",
  "chat.message": "A visitor or a member of staff writes in a conversation",
  "stock.low": "The available stock of a product falls to a limit",
  "product.changed": "A product is added, changed or deleted, or its stock changes",
};

export const KEY_SCOPES = ["read", "write"] as const;
export const SCOPE_LABELS: Record<(typeof KEY_SCOPES)[number], string> = {
  read: "Read",
  write: "Read and write",
};

export const KeyForm = z.object({
  name: requiredText("Name is required", 60),
  scope: z.enum(KEY_SCOPES, { error: "Choose what the key may do" }),
  currentPassword: password(CURRENT_PASSWORD_REQUIRED),
  code: z.string().max(MAX_FACTOR_CODE).default(""),
});

export const ById = z.object({ id });

const MAX_URL = 1024;

const events = z.preprocess(
  (value) => (Array.isArray(value) ? value : value === undefined ? [] : [value]),
  z
    .array(z.enum(WEBHOOK_EVENTS, { error: "Unknown event" }))
    .min(1, "Choose at least one event")
    .transform((chosen) => WEBHOOK_EVENTS.filter((event) => chosen.includes(event))),
);

export const WebhookForm = z.object({
  url: requiredText("Address is required", MAX_URL).refine(
    isPublicHttpsUrl,
    "Must start with https:// and be reachable from the internet",
  ),
  events,
  /** Missing: the number of the settings. */
  lowStock: z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? undefined : value),
    wholeNumber(0, 1_000_000).optional(),
  ),
  currentPassword: password(CURRENT_PASSWORD_REQUIRED),
});
