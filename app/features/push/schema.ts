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

/** Kinds of news that staff can be sent, each by push and by mail. */
export const NEWS = {
  message: "A visitor's message waits for an answer",
  assigned: "A chat is assigned to me",
  lowStock: "Stock has become low",
  night: "A night failed, or the shop needs attention",
} as const;
export type News = keyof typeof NEWS;
export type Way = "Push" | "Mail";
export type NewsSwitch = `${News}${Way}`;

export const NEWS_NAMES = Object.keys(NEWS) as News[];

/** News that admins alone are sent. */
export const ADMIN_NEWS: readonly News[] = ["night"];

const WAYS: Record<Way, string> = { Push: "by notifications", Mail: "by mail" };

/** Names the switch of a kind of news and a way. */
export const switchName = (news: News, way: Way): NewsSwitch => `${news}${way}`;

const switches = NEWS_NAMES.flatMap((news) =>
  (Object.keys(WAYS) as Way[]).map((way) => ({
    name: switchName(news, way),
    description: `${NEWS[news]}: told ${WAYS[way]}`,
  })),
);

const ofSwitches = <Value>(create: (description: string) => Value) =>
  Object.fromEntries(switches.map(({ name, description }) => [name, create(description)])) as Record<
    NewsSwitch,
    Value
  >;

/** Switches of somebody who has changed none. */
export const INITIAL_PREFERENCES: Preferences = {
  hasPreview: true,
  ...{ messagePush: true, messageMail: true, assignedPush: true, assignedMail: true },
  ...{ lowStockPush: false, lowStockMail: false, nightPush: false, nightMail: true },
};

/** Notification settings of a member of staff, on all devices. */
export const Preferences = z.object({
  hasPreview: z.boolean().meta({ description: "Notifications show names and messages" }),
  ...ofSwitches((description) => z.boolean().meta({ description })),
});
export type Preferences = z.infer<typeof Preferences>;

/** PATCH push/preferences; missing switches stay as they are. */
export const PreferencesInput = z.object({ hasPreview: flag, ...ofSwitches(() => flag) }).partial();

/** Field with the names of the switches that a form has, separated by commas: browsers do not send an unticked box. */
export const SWITCHES_FIELD = "switches";

/** Form with the notification settings; switches that it does not have stay as they are. */
export const PreferencesForm = PreferencesInput.extend({
  // Forms of before had the preview alone.
  [SWITCHES_FIELD]: z.string({ error: "Must be text" }).max(500, "Too long").default("hasPreview"),
}).transform(({ switches: names, ...ticked }): Partial<Preferences> => {
  const shown = names.split(",");
  const known = ["hasPreview", ...switches.map(({ name }) => name)] as (keyof Preferences)[];
  return Object.fromEntries(
    known.filter((name) => shown.includes(name)).map((name) => [name, ticked[name] ?? false]),
  );
});
