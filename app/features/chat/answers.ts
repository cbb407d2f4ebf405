import { z } from "zod";
import { AnyId, Count, Id, Time } from "~/http/answers";
import { STAFF_SHOWN_AS } from "./limits";
import { ChatMessage, ChatView, ReadMark } from "./protocol";

export const AutoResponse = z
  .object({ id: Id, trigger: z.string(), response: z.string(), category: z.string(), isActive: z.boolean() })
  .meta({ id: "AutoResponse" });

const chatSettings = {
  welcomeMessage: z.string(),
  offlineMessage: z.string(),
  isOnline: z.boolean(),
  autoResponseEnabled: z.boolean(),
  answererName: z.string(),
  staffShownAs: z.enum(STAFF_SHOWN_AS),
};

export const SavedChatSettings = z.object(chatSettings);

export const ChatSettingsAnswer = z.object({
  ...chatSettings,
  answererPicture: z.string().nullable(),
  replySeconds: Count.nullable(),
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
