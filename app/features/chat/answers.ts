import { z } from "zod";
import { AnyId, Count, Id, Time } from "~/http/answers";
import { ChatMessage, ChatView, ReadMark } from "./protocol";
import { RESPONSE, SETTINGS } from "./records";

export const AutoResponse = z.object({ id: Id, ...RESPONSE.answers }).meta({ id: "AutoResponse" });

export const SavedChatSettings = z.object(SETTINGS.answers);

export const ChatSettingsAnswer = z.object({
  ...SETTINGS.answers,
  answererPicture: z.string().nullable(),
  replySeconds: Count.nullable(),
  back: z.string().meta({
    description: "When the shop is back, while a chat that follows its hours is away",
    examples: ["Back tomorrow at 11:00"],
  }),
  hours: z.string().meta({
    description: "Until when the shop is open, or when it opens; empty beside `back`",
    examples: ["Open today until 18:00"],
  }),
  hoursFor: Count.meta({ description: "Seconds for which `back` and `hours` are true", examples: [3600] }),
});

export const OwnChats = z.array(
  z.object({
    id: Id,
    lastMessage: z.string(),
    lastSender: z.enum(["visitor", "staff", "auto"]),
    lastMessageAt: Time,
    unreadCount: Count,
    state: z.enum(["open", "closed"]),
    productId: AnyId,
  }),
);

/** A chat with a part of its messages. */
export const ChatHistory = z.object({
  chat: ChatView,
  messages: z.array(ChatMessage),
  reads: z.object({ visitor: ReadMark, staff: ReadMark }),
});

export const Unread = z.object({ unreadCount: Count });
