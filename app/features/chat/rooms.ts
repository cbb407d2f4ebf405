import type { Author } from "~/db/audit";
import type { RowOf } from "~/records/record";
import type { StaffShownAs } from "./limits";
import type { ChatMessage, ChatView, MessageCard, ReadMarks } from "./protocol";
import type { SETTINGS } from "./records";
import type { PlaceValues } from "./responses";

export type { Author };

/** Types of the calls between operations and chat rooms. */

/** Line of the cart at the start of a chat. */
export interface ChatCartLine {
  /** Asked for with the cart; false for a product asked for by itself, missing in chats of before. */
  inCart?: boolean;
  productId: string;
  /** Unit of a product that has several, where one was chosen. */
  unitId?: string | undefined;
  name: string;
  quantity: number;
  priceCents: number;
  /** Options that were chosen; null for an open one, missing where there was nothing to choose. */
  color?: string | null;
  engraving?: string | null;
  /** Time at which it was asked for, epoch seconds; missing in chats of before. */
  requestedAt?: number;
  /** Asked about with the next messages; a later question about the product replaces it. */
  isQuestion?: boolean;
}

/** Input of a new chat. */
export interface NewChat {
  id: string;
  userName: string;
  userEmail: string;
  /** Account of a signed-in customer. */
  userId: string | null;
  /** Id of the first chat of the browser; missing for an imported chat. */
  visitorId?: string;
  isAnonymous: boolean;
  lines: ChatCartLine[];
  /** The shop's own pages start it, whose visitors have read the greeting: it is left out before a message of theirs. */
  isGreeted?: boolean;
  /** Product that the chat is about; default: that of the first line. */
  productId?: string | undefined;
  /** Starts at the same time open one chat, with the messages of all. */
  isShared?: boolean;
  /** Hash of the request, by which a repeated start with a key is recognised. */
  digest?: string | undefined;
  /** The product does not exist: only a start that is already stored is answered. */
  isCardUnknown?: boolean | undefined;
}

/** Changes of a chat by staff. */
export interface ChatChanges {
  userName?: string | undefined;
  /** null clears it. */
  assigneeId?: string | null | undefined;
  state?: ChatView["state"] | undefined;
  /** Values that the caller saw; a value that was changed since is not overwritten. */
  was?: Partial<Pick<ChatView, "userName" | "assigneeId" | "state">> | undefined;
  /** Member of staff who changes it. */
  by: string;
  /** Author in the audit log. */
  author?: Author | undefined;
}

/** Result of a change by staff. */
export type ChatUpdate =
  /** `isAssigned`: it was assigned to a colleague of who changed it. */
  | { chat: ChatView; isAssigned: boolean }
  | { rejected: "notFound" }
  /** `by` changed the field first; null when a visitor's message reopened the chat. */
  | { rejected: "changed"; field: "userName" | "assigneeId" | "state"; by: string | null; chat: ChatView };

/** Visitor's message at the start of a conversation. */
export interface InitialMessage {
  message: string;
  cards: MessageCard[];
}

/** Request to continue a chat: the visitor's details and message, and the products that it is about. */
export interface ContinuedChat extends Omit<NewChat, "id" | "userId" | "visitorId"> {
  initialMessage: InitialMessage | null;
  /** Epoch milliseconds: a chat without a message since then is not continued. */
  since: number;
  /** Id of the message, by which a start with a key is stored once. */
  messageId?: string | undefined;
}

export type ChatSettings = RowOf<(typeof SETTINGS)["fields"]>;

/** Person who answers, as the head of the chat shows them. */
export interface Answerer {
  answererName: string;
  staffShownAs: StaffShownAs;
  /** Stored entry (`minio:{key}`); null without one. */
  answererPicture: string | null;
  /** Seconds within which half of the recent first answers came; null while unknown or out of date. */
  replySeconds: number | null;
  /** `Back tomorrow at 11:00` while a chat that follows the opening hours is away; "" otherwise. */
  back: string;
  /** `Open today until 18:00`, `The shop opens tomorrow at 11:00`; "" beside `back`, and for a shop that never opens. */
  hours: string;
  /** Seconds for which `back` and `hours` are true. */
  hoursFor: number;
}

export interface AutoResponse {
  trigger: string;
  response: string;
}

/** Configuration of the automatic replies. */
export interface AutoReplies {
  settings: ChatSettings;
  /** Active responses, with placeholders. */
  responses: AutoResponse[];
  /** Value of the placeholder `{pickup}`. */
  pickup: string;
  /** Values of the placeholders about the shop. */
  place: PlaceValues;
  /** Name of the shop, which no visitor may take. */
  shopName: string;
}

/** Message to be stored in a room. */
export interface IncomingMessage {
  /** Client id, by which the message is stored once; the room generates a missing one. */
  id: string | undefined;
  message: string;
  isFromAdmin: boolean;
  senderName: string;
  /** Member of staff who writes. */
  staffName?: string | undefined;
  /** Their name as the visitor reads it; missing where the team alone is shown. */
  authorName?: string | undefined;
  staffId?: string | undefined;
  cards: MessageCard[];
  /** Id of the message to which it replies. */
  replyTo?: string | undefined;
  /** Products that a visitor asks about with it. */
  lines?: ChatCartLine[];
  /** Tells of a change that answers no question: who waits for an answer goes on waiting. */
  isNotice?: boolean;
  /** Words of an act that is stored already: the limit of messages must not lose them, and nobody has written them. */
  isUnlimited?: boolean;
  /** A card names a product that does not exist: only a message that is already stored is answered. */
  isCardUnknown?: boolean;
}

/** Limit of messages or files that rejects a message; `retryAfter` in seconds. */
export interface LimitReached {
  rejected: "rateLimited" | "tooManyFiles";
  retryAfter: number;
}

/**
 * Result of starting or continuing a chat; false for one that the room does not take, `erased` while its account is
 * deleted, `otherStart` when a start with other content has opened it, `unknownCard` for a product that never was.
 */
export type StartResult = boolean | "erased" | "otherStart" | "unknownCard" | LimitReached;

/** Result of posting a message. */
export type PostResult =
  | { stored: ChatMessage }
  | { rejected: "notFound" }
  | { rejected: "idTaken" }
  | { rejected: "unknownCard" }
  /** It replies to a message that the chat does not have. */
  | { rejected: "unknownMessage" }
  | LimitReached;

/** A chat with messages in order: all of them, or as many as one answer takes. */
export interface History {
  chat: ChatView;
  messages: ChatMessage[];
  reads: ReadMarks;
}

/** Message of an imported chat. */
export interface ImportedMessage {
  id: string;
  message: string;
  isFromAdmin: boolean;
  senderName: string;
  /** Epoch milliseconds. */
  at: number;
  cards?: MessageCard[] | undefined;
}

/** Chat that an empty room imports: from the demo data or a backup. */
export interface ImportedChat {
  chat: NewChat;
  messages: ImportedMessage[];
  /** Number of the visitor's unread messages. */
  unread: number;
}

/** Identity on whose behalf a chat is read and a live connection is held. */
export interface ConnectionIdentity {
  role: "staff" | "visitor";
  /** Account of the session; null for access by the chat cookie. */
  userId: string | null;
  /** SHA-256 of the session token; the connection ends with the session. */
  tokenHash: string | null;
  /** Name by which other staff see a member of staff. */
  staffName?: string;
}

/** Rows of a room, for a backup: values in the order of the columns. */
export interface RoomDump {
  tables: Record<string, { columns: string[]; rows: (string | number | null)[][] }>;
  /** Seq after which the next messages follow; null after the last. */
  next: number | null;
}
