import { z } from "zod";
import { dollars } from "~/domain/money";
import { FileCard } from "~/features/storage/file-card";
import { Id } from "~/http/answers";
import { flag, optionalText } from "~/http/fields";
import { CHAT_STATES } from "./limits";

/** Live events (docs/product.md, 7.2), the same for both codecs. */

const chatId = z.string().min(1).max(64);
const after = z.number().int().min(0).optional();
/** The page is in the foreground; only connections that report it hold back notifications. */
const visible = z.boolean().optional();
/** Path of the page that a visitor has in front of them; anything else is ignored. */
const page = z
  .string()
  .max(200)
  .regex(/^\/(?!\/)[\w./~%-]*$/)
  .optional()
  .catch(undefined);
const typingData = z.object({ chatId, senderName: optionalText() });

/** Event from the client. */
export const ClientEvent = z.discriminatedUnion("event", [
  z.object({ event: z.literal("join-chat"), data: z.object({ chatId, after, visible, page }) }),
  z.object({ event: z.literal("typing"), data: typingData }),
  z.object({ event: z.literal("stop-typing"), data: typingData }),
  z.object({ event: z.literal("join-admin"), data: z.object({ visible }).optional().catch(undefined) }),
  z.object({ event: z.literal("leave-admin") }),
  z.object({ event: z.literal("chat-status-change"), data: z.object({ isOnline: flag }) }),
]);
export type ClientEvent = z.infer<typeof ClientEvent>;

const time = z.object({ seconds: z.number(), nanoseconds: z.number() });

/**
 * Product beside a message; its name, price and stock are read by its id when it is drawn. A visitor's has the quantity that
 * is asked for, and the options that were chosen.
 */
export const ProductCard = z.strictObject(
  {
    type: z.literal("product", { error: "Must be product" }),
    productId: z.string({ error: "Must be text" }).min(1, "Required").max(64, "Too long"),
    quantity: z.number().int().min(1).optional(),
    color: z.string().optional(),
    engraving: z.string().optional(),
  },
  { error: "Must be a product card" },
);
export type ProductCard = z.infer<typeof ProductCard>;

/** Declaration of a type of card. */
type Declaration = { fields: z.ZodObject<{ type: z.ZodLiteral<string> }> } & (
  | {
      /** Added by the writer of the message, or by the upload of a file. */
      addedBy: "writer" | "upload";
    }
  | {
      /** Posted by the shop, whose sentence is the message's text for previews, mails and clients without cards. */
      addedBy: "shop";
      sentence: (...facts: never[]) => string;
    }
);

/** Types of cards beside a message; features/conversation/message-parts.tsx draws them. */
export const CARDS = {
  product: { fields: ProductCard, addedBy: "writer" },
  file: { fields: FileCard, addedBy: "upload" },
  hold: {
    fields: z.strictObject({ type: z.literal("hold"), holdId: z.string() }),
    addedBy: "shop",
    sentence: (until: string, items: string) => `Set aside until ${until}: ${items}`,
  },
  quote: {
    fields: z.strictObject({ type: z.literal("quote"), quoteId: z.string() }),
    addedBy: "shop",
    sentence: (title: string, totalCents: number) => `Quote: ${title}, ${dollars(totalCents)}`,
  },
  receipt: {
    fields: z.strictObject({ type: z.literal("receipt"), documentId: z.string() }),
    addedBy: "shop",
    sentence: (name: string, totalCents: number) => `${name}: ${dollars(totalCents)}`,
  },
  deposit: {
    fields: z.strictObject({ type: z.literal("deposit"), paymentId: z.string() }),
    addedBy: "shop",
    sentence: (name: string, cents: number, left: string | null) =>
      `${name}: ${dollars(cents)}${left === null ? "" : ` paid, ${left}`}`,
  },
} as const satisfies Record<string, Declaration>;
export type Cards = typeof CARDS;
export type CardType = keyof Cards;

/** Types of cards that the writer, the upload or the shop adds. */
export type CardTypeBy<Who> = {
  [Type in CardType]: Cards[Type]["addedBy"] extends Who ? Type : never;
}[CardType];
export const cardTypesBy = <const Who extends Declaration["addedBy"]>(...who: Who[]) =>
  (Object.keys(CARDS) as CardType[]).filter((type): type is CardTypeBy<Who> =>
    who.some((each) => each === CARDS[type].addedBy),
  );

type CardFields = Cards[CardType]["fields"];
/** Card beside a message, whose text says the same for clients without cards. */
export const MessageCard = z.discriminatedUnion(
  "type",
  Object.values(CARDS).map(({ fields }) => fields) as [CardFields, ...CardFields[]],
);
export type MessageCard = z.infer<typeof MessageCard>;
export type CardOf<Type extends CardType> = Extract<MessageCard, { type: Type }>;

/** Message to which another one replies, as it is now; of one that is gone, `senderName` is "" and the text says so. */
export const QuotedMessage = z
  .object({
    id: Id,
    isFromAdmin: z.boolean(),
    senderName: z.string(),
    authorName: z.string().optional(),
    /** Beginning of its first line. */
    text: z.string(),
  })
  .meta({ id: "QuotedMessage" });
export type QuotedMessage = z.infer<typeof QuotedMessage>;

/** Stored message; `seq` counts within its chat, from 1, without gaps. */
export const ChatMessage = z.object({
  id: Id,
  chatId: Id,
  message: z.string(),
  isFromAdmin: z.boolean(),
  senderName: z.string(),
  timestamp: time,
  seq: z.number(),
  /** Member of staff who wrote it, for staff only. */
  staffName: z.string().optional(),
  /** First name of the member of staff who wrote it, as visitors read it; missing where they read the team alone. */
  authorName: z.string().optional(),
  /** Missing without any. */
  cards: z.array(MessageCard).optional(),
  /** Missing for a message that replies to none. */
  replyTo: QuotedMessage.optional(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** Note of staff in a chat, which visitors never receive. */
export const ChatNote = z.object({
  id: Id,
  chatId: Id,
  note: z.string(),
  staffId: Id,
  staffName: z.string(),
  timestamp: time,
  /** Time of its author's last change. */
  editedAt: time.nullable(),
});
export type ChatNote = z.infer<typeof ChatNote>;

/** Chat in a list or header. */
export const ChatView = z.object({
  id: Id,
  userName: z.string(),
  userEmail: z.string(),
  isAnonymous: z.boolean(),
  /** Shortened to 200 characters. */
  lastMessage: z.string(),
  lastMessageTime: time,
  createdAt: time,
  unreadCount: z.number(),
  state: z.enum(CHAT_STATES),
  /** Member of staff who looks after the chat; null for visitors too. */
  assigneeId: z.string().nullable(),
  /** Time of the first visitor's message without an answer by a person. */
  waitingSince: time.nullable(),
  lastSender: z.enum(["visitor", "staff", "auto"]),
  /** Member of staff who wrote last; null for none and for visitors. */
  lastStaffId: z.string().nullable(),
});
export type ChatView = z.infer<typeof ChatView>;

/** Last message that a side has read, and the time of reading; seq 0 and no time before the first. */
export const ReadMark = z.object({ seq: z.number(), timestamp: time.nullable() });
export type ReadMark = z.infer<typeof ReadMark>;

/** Sides of a conversation that read messages. */
const READERS = ["visitor", "staff"] as const;
export type ReadMarks = Record<(typeof READERS)[number], ReadMark>;

/** Event from the server. */
export const ServerEvent = z.discriminatedUnion("event", [
  z.object({ event: z.literal("new-message"), data: ChatMessage }),
  z.object({
    event: z.literal("user-typing"),
    data: z.object({
      chatId: z.string(),
      isTyping: z.boolean(),
      senderName: z.string(),
      isStaff: z.boolean(),
    }),
  }),
  z.object({
    event: z.literal("read"),
    data: ReadMark.extend({ chatId: z.string(), by: z.enum(READERS) }),
  }),
  z.object({ event: z.literal("chat-status-change"), data: z.object({ isOnline: z.boolean() }) }),
  z.object({
    event: z.literal("visitor-page"),
    // null once the visitor has left or turned away.
    data: z.object({ chatId: z.string(), page: z.string().nullable() }),
  }),
  z.object({
    event: z.literal("new-user-message"),
    data: z.object({ chatId: z.string(), message: ChatMessage, chat: ChatView }),
  }),
  z.object({
    event: z.literal("chat-updated"),
    // null for a deleted chat.
    data: z.object({
      chatId: z.string(),
      chat: ChatView.nullable(),
      /** Colleague who has just assigned the chat to somebody else. */
      assignedBy: z.string().optional(),
    }),
  }),
  // For the back office alone.
  z.object({ event: z.literal("new-note"), data: ChatNote }),
  z.object({ event: z.literal("note-removed"), data: z.object({ chatId: z.string(), id: z.string() }) }),
  z.object({ event: z.literal("error"), data: z.object({ event: z.string(), message: z.string() }) }),
]);
export type ServerEvent = z.infer<typeof ServerEvent>;

/** Invalid frame, reported by the `error` event. */
export class BadFrame extends Error {
  constructor(
    readonly event: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Parses a JSON frame, `{"event": "...", "data": ...}`.
 *
 * @throws BadFrame
 */
export function readFrame(text: string): ClientEvent {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    throw new BadFrame("", "The frame is not JSON.");
  }
  const { event, data } = (frame ?? {}) as { event?: unknown; data?: unknown };
  return readEvent(event, data === undefined ? [] : [data]);
}

/**
 * Parses an event of either codec. An event with the data `{chatId, senderName}` or `{isOnline}` accepts the bare
 * values in that order, because Socket.IO clients send `join-chat` with the id alone.
 *
 * @param values arguments of the event
 * @throws BadFrame
 */
export function readEvent(event: unknown, values: unknown[]): ClientEvent {
  if (typeof event !== "string") throw new BadFrame("", "The frame names no event.");
  const parsed = ClientEvent.safeParse({ event, data: asObject(event, values) });
  if (parsed.success) return parsed.data;
  const known = ClientEvent.options.some((option) => option.shape.event.value === event);
  throw new BadFrame(
    event.slice(0, 64),
    known ? "The data of this event is not right." : "There is no such event.",
  );
}

function asObject(event: string, [first, second]: unknown[]): unknown {
  if (typeof first === "object") return first;
  if (event === "join-chat") return { chatId: first, after: second };
  if (event === "chat-status-change") return { isOnline: first };
  return { chatId: first, senderName: second };
}
