import { z } from "zod";
import { flag, isPublicHttpsUrl, otherId } from "~/http/fields";

/** Push services use some 200 characters. */
const MAX_ENDPOINT = 1024;

const endpoint = z
  .string({ error: "Must be text" })
  .max(MAX_ENDPOINT, `Must be at most ${MAX_ENDPOINT} characters`)
  .refine(isPublicHttpsUrl, "Must be the https URL of a public push service");

/** Base64url with optional padding. */
const key = (pattern: RegExp, rule: string) =>
  z
    .string({ error: "Must be text" })
    .max(100, rule)
    .transform((text) => text.replace(/=+$/, ""))
    .refine((text) => pattern.test(text), rule);

/** Input of a subscription, as `PushSubscription.toJSON()` returns it; `chatId` subscribes a visitor to their own chat. */
export const SubscriptionInput = z.object({
  endpoint,
  keys: z.object(
    {
      // An uncompressed point begins with 4, in base64 with B.
      p256dh: key(/^B[\w-]{86}$/, "Must be an uncompressed P-256 point of 65 bytes in base64url"),
      auth: key(/^[\w-]{21}[AQgw]$/, "Must be 16 bytes in base64url"),
    },
    { error: "Must be an object with p256dh and auth" },
  ),
  chatId: z.preprocess((value) => value ?? undefined, otherId.optional()),
});

export const UnsubscribeInput = z.object({ endpoint });

/** Form with the notification settings; browsers do not send an unticked box. */
export const PreferencesForm = z.object({ hasPreview: flag.default(false) });
