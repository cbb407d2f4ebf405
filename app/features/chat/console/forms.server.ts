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
import { consoleAddress } from "./params";

type Fields = Record<string, unknown>;

const chatOf = ({ chat }: Fields) => (typeof chat === "string" ? chat : null);
/** Nothing above the form where its fields say what is wrong. */
const unlessFieldsSay = (text: string) => (error: AppError) => (error.details ? null : text);
/** Says why where somebody else was faster. */
const orFaster = (text: string) => (error: AppError) => {
  if (error.code === "conflict") return `${text}: ${error.message}`;
  if (error.code === "notFound") return `${text}: Somebody else has deleted this response.`;
  return unlessFieldsSay(text)(error);
};
const responses = (toast: string) => (_: unknown, form: Fields) => ({
  to: consoleAddress({ tab: "responses", chat: chatOf(form) }),
  toast,
});

/** What the console's forms may ask for, with the words of back office 8. `chat` is the one that stays open. */
export const CONSOLE_FORMS: Record<string, FormIntent<unknown>> = {
  send: intent(postReply, {
    done: ({ chatId }) => ({ to: consoleAddress({ chat: chatId }) }),
    failed: () => "Failed to send message",
  }),
  deleteChat: intent(deleteChat, {
    done: () => ({ to: consoleAddress(), toast: "Chat deleted successfully" }),
    failed: () => "Failed to delete chat",
  }),
  addResponse: intent(createResponse, {
    done: responses("Predefined response created successfully"),
    failed: unlessFieldsSay("Failed to create predefined response"),
  }),
  updateResponse: intent(updateResponseByForm, {
    done: responses("Response updated successfully"),
    failed: orFaster("Failed to update response"),
  }),
  deleteResponse: intent(deleteResponseByForm, {
    done: responses("Response deleted successfully"),
    failed: orFaster("Failed to delete response"),
  }),
  settings: intent(updateSettingsByForm, {
    done: (_, form) => ({
      to: consoleAddress({ tab: "settings", chat: chatOf(form) }),
      toast: "Chat settings updated successfully",
    }),
    failed: orFaster("Failed to update chat settings"),
  }),
};
