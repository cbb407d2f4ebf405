import { z } from "zod";
import {
  EMAIL_SHAPE,
  flag,
  id,
  listWindow,
  openedValues,
  optionalText,
  requiredText,
  wholeNumber,
} from "~/http/fields";
import { visitorNameField } from "~/http/person-name";
import { MAX_MESSAGE } from "./limits";

/** An id of the client's making, by which a message sent twice is stored once. */
export const CLIENT_ID = /^[A-Za-z0-9_-]{1,64}$/;

const CONTROL = /(?![\t\n\r])\p{Cc}/u;
/** Counted as people do: an emoji is one character, not two. */
const isShort = (text: string) => [...text].length <= MAX_MESSAGE;
/** Whether anything of a text would be seen. */
const isSeen = (text: string) => /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
const TOO_LONG = `Must be at most ${MAX_MESSAGE.toLocaleString("en")} characters`;

/** What is said in a chat: trimmed, 1 to 2,000 characters. */
const messageText = z
  .string({ error: "Message is required" })
  // As forms send it, a line ends in two characters.
  .overwrite((text) => text.replace(/\r\n?/g, "\n"))
  .trim()
  .min(1, { error: "Message is required", abort: true })
  .refine(isSeen, "Message is required")
  .refine(isShort, TOO_LONG)
  .refine((text) => !CONTROL.test(text) && text.isWellFormed(), "Contains characters that are not allowed");

/** The same where nothing need be said; blank is "". */
const optionalMessage = z.preprocess(
  (value) => (typeof value === "string" && value.trim() === "" ? undefined : (value ?? undefined)),
  messageText.optional(),
);

/** Spec 5, Support chat start: optional; if given it must be text, an at sign, text, a dot, text. */
const optionalEmail = optionalText(254)
  .transform((text) => text.normalize("NFC"))
  .refine((text) => text === "" || EMAIL_SHAPE.test(text), "Please enter a valid email address");

/** Beginning a chat (spec 3, Chat creation payload). `keepCart` keeps the reader's cart with the chat. */
export const CreateInput = z.object({
  userName: visitorNameField(),
  userEmail: optionalEmail,
  initialMessage: optionalMessage,
  isAnonymous: flag.optional(),
  keepCart: flag.optional(),
});

/** Buying a product by chat; what is more than the shop has, or less than one, is brought within. */
export const ProductChatInput = z.object({
  id,
  quantity: z.preprocess((value) => (value ?? "") || 1, wholeNumber(-1_000_000, 1_000_000)),
});

/** For acts that need nothing said. */
export const Nothing = z.object({});

/** Writing into a chat. A blank `id` is none. */
export const MessageInput = z.object({
  chatId: id,
  message: messageText,
  isFromAdmin: flag.optional(),
  senderName: visitorNameField(),
  id: z.preprocess(
    (value) => (value === "" || value === null ? undefined : value),
    z
      .string({ error: "Must be text" })
      .regex(CLIENT_ID, "Must be 1 to 64 of A-Z, a-z, 0-9, _ and -")
      .optional(),
  ),
});

const seq = z.preprocess(
  (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.number({ error: "Must be a whole number" }).int("Must be a whole number").min(0, "Must be 0 or more"),
);

/** Reading a chat, from the start or from after a message's seq. */
export const MessagesInput = z.object({ id, after: seq.optional() });

/** Naming a chat. */
export const ChatInput = z.object({ id });

/** Marking as read, which only the seller does (back office 7). */
export const ReadInput = z.object({
  id,
  isAdmin: z.preprocess((value) => value ?? false, flag).refine((isAdmin) => isAdmin, "Must be true"),
});

/** Listing chats or responses. */
export const ListInput = z.object(listWindow);

const trigger = requiredText("Trigger is required", 200).refine(isSeen, "Trigger is required");
const response = messageText;
const category = optionalText(60).transform((text) => text || "General");

/** Adding a predefined response (back office 2, Responses tab). */
export const ResponseInput = z.object({ trigger, response, category, isActive: flag.optional() });

/** What a caller saw of a response; fields that are left out are not compared. */
const SeenResponse = z
  .object({ trigger: z.string(), response: z.string(), category: z.string(), isActive: z.boolean() })
  .partial();
export type SeenResponse = z.output<typeof SeenResponse>;

/** Changing one; a missing key stays as it was. With `was`, only what others have left as it was is overwritten. */
export const ResponseChanges = z.object({
  id,
  trigger: trigger.optional(),
  response: response.optional(),
  category: category.optional(),
  isActive: flag.optional(),
  was: SeenResponse.optional(),
});

/** The form that changes one. */
export const ResponseForm = ResponseChanges.extend({ was: openedValues(SeenResponse) });

/** Deleting one; with `was`, only as it was. */
export const ResponseRemoval = z.object({ id, was: SeenResponse.optional() });

/** The form that deletes one. */
export const ResponseRemovalForm = z.object({ id, was: openedValues(SeenResponse) });

/** A message of the shop's own; blank is none. */
const ownMessage = messageText.or(z.string().trim().length(0));

/** What a caller saw of the settings; fields that are left out are not compared. */
const SeenSettings = z
  .object({
    welcomeMessage: z.string(),
    offlineMessage: z.string(),
    isOnline: z.boolean(),
    autoResponseEnabled: z.boolean(),
  })
  .partial();

/** Changing the settings; a missing key stays as it was. With `was`, only what others have left as it was. */
export const SettingsInput = z.object({
  welcomeMessage: ownMessage.optional(),
  offlineMessage: ownMessage.optional(),
  isOnline: flag.optional(),
  autoResponseEnabled: flag.optional(),
  was: SeenSettings.optional(),
});

/** The settings' whole form, where a box without its tick is not sent at all. */
export const SettingsForm = z.object({
  welcomeMessage: z.preprocess((value) => value ?? "", ownMessage),
  offlineMessage: z.preprocess((value) => value ?? "", ownMessage),
  isOnline: flag.default(false),
  autoResponseEnabled: flag.default(false),
  was: openedValues(SeenSettings),
});

/** Opening a chat by its mailed link. */
export const LinkInput = z.object({ chatId: id, key: z.string({ error: "Must be text" }) });

/** The key of a mailed link: when it ends, and its signature. */
export const LINK_KEY = /^([0-9a-z]{1,10})\.([\w-]{43})$/;
