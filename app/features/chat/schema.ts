import { z } from "zod";
import { EMAIL_SHAPE, flag, id, listWindow, optionalText, requiredText, wholeNumber } from "~/http/fields";
import { MAX_MESSAGE, NEW_CUSTOMER } from "./limits";

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

const oneLine = (max: number) => optionalText(max).transform((text) => text.replace(/\s+/g, " "));

/** Spec 5, Support chat start: optional; if given it must be text, an at sign, text, a dot, text. */
const optionalEmail = optionalText(254)
  .transform((text) => text.normalize("NFC"))
  .refine((text) => text === "" || EMAIL_SHAPE.test(text), "Please enter a valid email address");

/** Beginning a chat (spec 3, Chat creation payload). `keepCart` keeps the reader's cart with the chat. */
export const CreateInput = z.object({
  userName: oneLine(100),
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
  senderName: oneLine(100),
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

/** Changing one; a missing key stays as it was. */
export const ResponseChanges = z.object({
  id,
  trigger: trigger.optional(),
  response: response.optional(),
  category: category.optional(),
  isActive: flag.optional(),
});

/** A message of the shop's own; blank is none. */
const ownMessage = messageText.or(z.string().trim().length(0));

/** Changing the settings; a missing key stays as it was. */
export const SettingsInput = z.object({
  welcomeMessage: ownMessage.optional(),
  offlineMessage: ownMessage.optional(),
  isOnline: flag.optional(),
  autoResponseEnabled: flag.optional(),
});

/** The settings' whole form, where a box without its tick is not sent at all. */
export const SettingsForm = z.object({
  welcomeMessage: z.preprocess((value) => value ?? "", ownMessage),
  offlineMessage: z.preprocess((value) => value ?? "", ownMessage),
  isOnline: flag.default(false),
  autoResponseEnabled: flag.default(false),
});

/** Opening a chat by its mailed link. */
export const LinkInput = z.object({ chatId: id, key: z.string({ error: "Must be text" }) });

/** The key of a mailed link: when it ends, and its signature. */
export const LINK_KEY = /^([0-9a-z]{1,10})\.([\w-]{43})$/;

/**
 * The name that a visitor writes under: `Support Team` is not taken from one, however it is spelled; none is
 * `New Customer` (contract: chat/message).
 *
 * @param names the first one that may be used counts
 */
export function visitorName(...names: string[]): string {
  return (
    names.map((name) => name.trim()).find((name) => isSeen(name) && !isSupportTeam(name)) ?? NEW_CUSTOMER
  );
}

/** Letters of other scripts that are drawn as those of `Support Team` are: Cyrillic, Greek, Lisu. */
const LOOKALIKES: Record<string, string> = Object.fromEntries(
  Object.entries({
    s: "ѕꓢ",
    u: "υꓴ",
    p: "рρꓑ",
    o: "оοꓳ",
    r: "гꓣ",
    t: "тτꓔ",
    e: "еεꓰ",
    a: "аαꓮ",
    m: "мꓟ",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);

function isSupportTeam(name: string): boolean {
  const letters = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0430-\u04ff\u03b1-\u03f1\ua4d0-\ua4fd]/g, (letter) => LOOKALIKES[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, "");
  return letters === "supportteam";
}
