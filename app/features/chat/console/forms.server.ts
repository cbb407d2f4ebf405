import { savePushPreferences } from "~/features/push/operations.server";
import { BODY_TOO_LARGE } from "~/http/body.server";
import type { AppError } from "~/http/errors";
import { type FormIntent, intent } from "~/http/form-action.server";
import { FILES_TOO_LARGE } from "../forms.server";
import {
  createResponse,
  deleteChat,
  deleteResponseByForm,
  postReply,
  updateChat,
  updateResponseByForm,
  updateSettingsByForm,
} from "../operations.server";
import { consoleUrl, parseConsoleParams } from "./params";

type Fields = Record<string, unknown>;

const openChat = ({ chat }: Fields) => (typeof chat === "string" ? chat : null);
/** Keeps the search and the filters of the list. */
const listUrl = ({ list }: Fields, chat: string) => {
  const { q, filter, report } = parseConsoleParams(new URLSearchParams(typeof list === "string" ? list : ""));
  return consoleUrl({ chat, q, filter, report });
};
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

const isFileError = ({ code, details }: Pick<AppError, "code" | "details">) =>
  code === "tooLarge" || code === "unsupportedType" || (code === "invalid" && !details);

/** Shows why a file was rejected. */
const fileError = ({ code, message, details }: AppError) => {
  if (message === BODY_TOO_LARGE) return FILES_TOO_LARGE;
  return isFileError({ code, details }) ? `Failed to send message: ${message}` : "Failed to send message";
};

/** Intents of the console's forms; the field `chat` is the chat that stays open. */
export const CONSOLE_FORMS: Record<string, FormIntent<unknown>> = {
  send: intent(postReply, {
    done: ({ chatId }) => ({ to: consoleUrl({ chat: chatId }) }),
    failed: fileError,
  }),
  deleteChat: intent(deleteChat, {
    done: () => ({ to: consoleUrl(), toast: "Chat deleted successfully" }),
    failed: () => "Failed to delete chat",
  }),
  updateChat: intent(updateChat, {
    done: ({ id }, form) => ({ to: listUrl(form, id), toast: "Chat updated successfully" }),
    failed: ({ code, message, details }) =>
      code === "conflict" ? message : (details?.[0]?.message ?? "Failed to update chat"),
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
    failed: (error) =>
      isFileError(error)
        ? `Failed to update chat settings: ${error.message}`
        : withConflict("Failed to update chat settings")(error),
  }),
  notifications: intent(savePushPreferences, {
    done: (_, form) => ({
      to: consoleUrl({ tab: "settings", chat: openChat(form) }),
      toast: "Notification settings updated successfully",
    }),
    failed: () => "Failed to update notification settings",
  }),
};
