import type { AppError } from "~/http/errors";
import { type FormIntent, intent } from "~/http/form-action.server";
import {
  createResponse,
  deleteChat,
  deleteResponseByForm,
  postReply,
  updateResponseByForm,
  updateSettingsByForm,
} from "../operations.server";
import { consoleUrl } from "./params";

type Fields = Record<string, unknown>;

const openChat = ({ chat }: Fields) => (typeof chat === "string" ? chat : null);
/** Shows the message unless the fields show errors. */
const unlessFieldErrors = (text: string) => (error: AppError) => (error.details ? null : text);
/** Adds the reason when a colleague has changed or deleted the record. */
const withConflict = (text: string) => (error: AppError) => {
  if (error.code === "conflict") return `${text}: ${error.message}`;
  if (error.code === "notFound") return `${text}: Somebody else has deleted this response.`;
  return unlessFieldErrors(text)(error);
};
const responses = (toast: string) => (_: unknown, form: Fields) => ({
  to: consoleUrl({ tab: "responses", chat: openChat(form) }),
  toast,
});

/** Intents of the console's forms; the field `chat` is the chat that stays open. */
export const CONSOLE_FORMS: Record<string, FormIntent<unknown>> = {
  send: intent(postReply, {
    done: ({ chatId }) => ({ to: consoleUrl({ chat: chatId }) }),
    failed: () => "Failed to send message",
  }),
  deleteChat: intent(deleteChat, {
    done: () => ({ to: consoleUrl(), toast: "Chat deleted successfully" }),
    failed: () => "Failed to delete chat",
  }),
  addResponse: intent(createResponse, {
    done: responses("Predefined response created successfully"),
    failed: unlessFieldErrors("Failed to create predefined response"),
  }),
  updateResponse: intent(updateResponseByForm, {
    done: responses("Response updated successfully"),
    failed: withConflict("Failed to update response"),
  }),
  deleteResponse: intent(deleteResponseByForm, {
    done: responses("Response deleted successfully"),
    failed: withConflict("Failed to delete response"),
  }),
  settings: intent(updateSettingsByForm, {
    done: (_, form) => ({
      to: consoleUrl({ tab: "settings", chat: openChat(form) }),
      toast: "Chat settings updated successfully",
    }),
    failed: withConflict("Failed to update chat settings"),
  }),
};
