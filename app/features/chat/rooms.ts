import type { ChatMessage, ChatView } from "./protocol";

/** What operations and rooms say to each other. */

/** A product that a chat is about, as it was when the chat began. */
export interface KeptLine {
  productId: string;
  name: string;
  quantity: number;
  priceCents: number;
}

/** What a chat is when it begins. */
export interface NewChat {
  id: string;
  userName: string;
  userEmail: string;
  /** The signed-in customer who begins it, if one does. */
  userId: string | null;
  isAnonymous: boolean;
  lines: KeptLine[];
}

/** Back office 3, Chat settings. */
export interface ChatSettings {
  welcomeMessage: string;
  offlineMessage: string;
  isOnline: boolean;
  autoResponseEnabled: boolean;
}

/** A trigger and what is answered to it. */
export interface AutoResponse {
  trigger: string;
  response: string;
}

/** What the shop says by itself at a moment. */
export interface Answers {
  settings: ChatSettings;
  /** The active ones. */
  responses: AutoResponse[];
}

/** A message on its way into a room. */
export interface Posting {
  /** The client's, by which it is stored once; the room draws one where it is missing. */
  id: string | undefined;
  message: string;
  isFromAdmin: boolean;
  senderName: string;
}

/** What became of it. */
export type Posted =
  | { stored: ChatMessage }
  | { refused: "notFound" }
  /** Another message has this id. */
  | { refused: "idTaken" }
  /** `retryAfter` in seconds. */
  | { refused: "rateLimited"; retryAfter: number };

/** A chat with its messages in order. */
export interface History {
  chat: ChatView;
  messages: ChatMessage[];
}

/** A message of a chat that was kept elsewhere. */
export interface ImportedMessage {
  id: string;
  message: string;
  isFromAdmin: boolean;
  senderName: string;
  /** Epoch milliseconds. */
  at: number;
}

/** A whole chat for an empty room: the demo's, or a back-up's. */
export interface ImportedChat {
  chat: NewChat;
  messages: ImportedMessage[];
  /** How many of the visitor's messages nobody has read. */
  unread: number;
}

/** On whose behalf a live connection is held. */
export interface Seat {
  role: "staff" | "visitor";
  /** Whose session opened it; null where a chat cookie did. */
  userId: string | null;
  /** SHA-256 of that session's token: the connection ends with it. */
  tokenHash: string | null;
}
