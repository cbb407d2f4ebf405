import { listProducts } from "~/features/catalogue/operations/products.server";
import {
  type ConsoleParams,
  consoleUrl,
  parseConsoleParams,
  urlInList,
} from "~/features/chat/console-params";
import { FILES_TOO_LARGE } from "~/features/chat/forms.server";
import { findMail } from "~/features/chat/mails.queries.server";
import { asCardProducts, type CardProduct, MAX_FOUND_PRODUCTS } from "~/features/chat/message-links";
import { isPageView } from "~/features/chat/operations/access.server";
import { staffProductsOf } from "~/features/chat/operations/cards.server";
import {
  listAssignees,
  listConsoleChats,
  readChatVisitor,
  updateChat,
} from "~/features/chat/operations/list.server";
import {
  cartNow,
  deleteChat,
  postReply,
  readMessages,
  readStoredCart,
} from "~/features/chat/operations/messages.server";
import { addNote, changeNote, readLatestNotes, removeNote } from "~/features/chat/operations/notes.server";
import {
  createResponse,
  deleteResponseByForm,
  listResponses,
  updateResponseByForm,
} from "~/features/chat/operations/responses.server";
import { readSettings, updateSettingsByForm } from "~/features/chat/operations/settings.server";
import { placeValues } from "~/features/chat/place-values.server";
import type { ChatNote, ChatView } from "~/features/chat/protocol";
import { ChatInput } from "~/features/chat/schema";
import { readPushSettings, savePushPreferences } from "~/features/push/operations.server";
import { readConversationSales } from "~/features/sales/cards/read-cards.server";
import { readChatSales } from "~/features/sales/record/proposal.server";
import { BODY_TOO_LARGE } from "~/http/body.server";
import type { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { asAppError, operation, type ResultOf, type StaffContext } from "~/http/operation.server";
import { PageInput, resultOrNull } from "~/http/page.server";

export type ConsoleData = ResultOf<typeof readConsole>;

/** Returns what the console shows of the shop and its clock. */
const placeAndTime = ({ now, settings }: StaffContext) => ({
  now,
  timezone: settings.timezone,
  pickup: settings.pickup,
  place: placeValues(settings, now),
});

/** Reads the console at its URL; each part may fail by itself. Opening a chat marks it as read. */
export const readConsole = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { origin, searchParams } = new URL(input.url);
    const params = parseConsoleParams(searchParams);
    const [opened, mail, attachable, list, responses, settings, staff, push] = await Promise.all([
      params.chat ? openChat(context, params.chat, params, origin) : NO_CHAT,
      resultOrNull(findOpenMail(context, params)),
      findAttachable(context, params.attach),
      resultOrNull(listConsoleChats.execute(context, listInput(params))),
      resultOrNull(listResponses.execute(context, {})),
      resultOrNull(readSettings.execute(context, {})),
      resultOrNull(listAssignees.execute(context, {})),
      params.tab === "settings" ? resultOrNull(readPushSettings.execute(context, {})) : null,
    ]);
    const { history, notes, cart, sales, products, visitor, isDeleted, failure } = opened;
    const readId = params.tab === "chats" ? history?.chat.id : undefined;
    return {
      params,
      ...placeAndTime(context),
      chats: list && withOpened(list, history?.chat, readId),
      history,
      ...{ notes, cart },
      sales,
      products,
      visitor,
      ...{ mail, attachable },
      origin,
      isDeleted,
      responses: responses?.rows ?? null,
      ...{ settings, push },
      staff: staff ?? [],
      userId: context.user.id,
      isAdmin: context.user.isAdmin,
      // Client id of the reply form without JavaScript: repeating its POST stores the message once.
      replyId: crypto.randomUUID(),
      failures: failuresOf({ list, responses, settings }, failure),
    };
  },
});

/** Finds the mail that is shown in full. */
const findOpenMail = ({ db }: StaffContext, { chat, mail }: ConsoleParams) =>
  chat && mail ? findMail(db, chat, mail) : Promise.resolve(null);

/** Picks what chooses the listed chats. */
const listInput = ({ limit, q, filter, report }: ConsoleParams) => ({
  limit,
  q,
  filter,
  report: report?.kind,
  ...report?.scope,
});

/** Lists the messages of the parts that could not be read. */
const failuresOf = (parts: Record<"list" | "responses" | "settings", unknown>, chatFailure: string) =>
  [
    parts.list ? "" : "Failed to fetch chats",
    chatFailure,
    parts.responses ? "" : "Failed to fetch predefined responses",
    parts.settings ? "" : "Failed to fetch chat settings",
  ].filter(Boolean);

type ChatList = ResultOf<typeof listConsoleChats>;

/**
 * Shows the open chat in the list as its room has it: the row is written a moment after a message, such as that of a hold
 * whose form has just led back here.
 *
 * @param readId of the chat that this page marks as read
 */
function withOpened(list: ChatList, opened: ChatView | undefined, readId: string | undefined): ChatList {
  const listed = opened && list.rows.find(({ id }) => id === opened.id);
  if (!listed) return list;
  const isAnswered = listed.waitingSince !== null && opened.waitingSince === null;
  const { unanswered } = list.counts;
  const current = { ...listed, ...opened, ...(readId === opened.id && { unreadCount: 0 }) };
  return {
    ...list,
    rows: list.rows.map((chat) => (chat === listed ? current : chat)),
    counts: { ...list.counts, unanswered: isAnswered ? Math.max(0, unanswered - 1) : unanswered },
  };
}

/** Finds products to attach. @param search of the page without JavaScript; null while the search is closed */
async function findAttachable(context: StaffContext, search: string | null) {
  if (search === null) return null;
  const input = { search, raw: "1", limit: MAX_FOUND_PRODUCTS };
  return asCardProducts((await resultOrNull(listProducts.execute(context, input)))?.rows ?? []);
}

const NO_PRODUCTS: CardProduct[] = [];
const NO_NOTES: ChatNote[] = [];
const NO_CHAT = {
  history: null,
  notes: NO_NOTES,
  cart: null,
  sales: null,
  products: NO_PRODUCTS,
  visitor: null,
  isDeleted: false,
  failure: "",
};

/** Reads what a chat names: its messages, the notes of staff, the cart that it began with, its visitor, and its holds, quotes and documents. */
const readChat = operation({
  access: "staff",
  input: ChatInput,
  async run({ input: { id }, ...context }) {
    const [history, notes, cart, visitor, sales] = await Promise.all([
      readMessages.execute(context, { id }),
      resultOrNull(readLatestNotes.execute(context, { id })),
      resultOrNull(readStoredCart(context, id)),
      resultOrNull(readChatVisitor.execute(context, { id })),
      resultOrNull(readChatSales(context, id)),
    ]);
    return { history, notes: notes ?? NO_NOTES, cart, visitor, sales };
  },
});

/** Reads the open chat in two steps; the other tabs keep it open without marking it as read. */
async function openChat(context: StaffContext, id: string, { tab, product }: ConsoleParams, origin: string) {
  try {
    const { history, notes, cart: stored, visitor, sales: named } = await readChat.execute(context, { id });
    const userEmail = visitor?.account?.email ?? history.chat.userEmail;
    const isSeen = tab === "chats" && isPageView(context.request);
    const [unread, cart, products, sales] = await Promise.all([
      history.chat.unreadCount > 0 && isSeen
        ? resultOrNull(context.env.CHAT_ROOM.getByName(id).markRead("staff", undefined, true))
        : 0,
      stored && resultOrNull(cartNow(context, stored)),
      resultOrNull(staffProductsOf(context, history.messages, origin, product)),
      named && resultOrNull(readConversationSales(context, { id, userEmail }, stored ?? [], named)),
    ]);
    return {
      history,
      notes,
      cart,
      sales,
      products: products ?? NO_PRODUCTS,
      visitor,
      isDeleted: false,
      failure: unread === null ? "Failed to mark messages as read" : "",
    };
  } catch (error) {
    const isDeleted = ["notFound", "invalid"].includes(asAppError(error).code);
    return { ...NO_CHAT, isDeleted, failure: isDeleted ? "" : "Failed to fetch chat messages" };
  }
}

type Fields = Record<string, unknown>;

const keptChat = ({ chat }: Fields) => (typeof chat === "string" ? chat : null);
/** Shows the message unless the fields show errors. */
const unlessFieldErrors = (text: string) => (error: AppError) => (error.details ? null : text);
/** Adds the reason when a colleague has changed or deleted the record. */
const withConflict = (text: string) => (error: AppError) => {
  if (error.code === "conflict") return `${text}: ${error.message}`;
  if (error.code === "notFound") return `${text}: Somebody else has deleted this response.`;
  return unlessFieldErrors(text)(error);
};
const responses = (toast: string) => (_: unknown, form: Fields) => ({
  to: consoleUrl({ tab: "responses", chat: keptChat(form) }),
  toast,
});

const isFileError = ({ code, details }: Pick<AppError, "code" | "details">) =>
  code === "tooLarge" || code === "unsupportedType" || (code === "invalid" && !details);

/** Shows why a file was refused. */
const fileError = ({ code, message, details }: AppError) => {
  if (message === BODY_TOO_LARGE) return FILES_TOO_LARGE;
  return isFileError({ code, details }) ? `Failed to send message: ${message}` : "Failed to send message";
};

/** Says why a note could not be changed, also beside which text. */
const noteFailure = ({ message, details }: AppError) => details?.[0]?.message ?? message;

/** Intents of the console's forms; the field `chat` is the chat that stays open. */
export const CONSOLE_FORMS: FormIntents = {
  send: intent(postReply, {
    done: ({ chatId }) => ({ to: consoleUrl({ chat: chatId }) }),
    failed: fileError,
  }),
  note: intent(addNote, {
    done: ({ chatId }) => ({ to: consoleUrl({ chat: chatId }) }),
    failed: () => "Failed to save the note",
  }),
  changeNote: intent(changeNote, {
    done: ({ chatId }, { list }) => ({ to: urlInList(list, chatId), toast: "Note changed" }),
    failed: noteFailure,
  }),
  removeNote: intent(removeNote, {
    done: (_, form) => ({ to: urlInList(form.list, keptChat(form)), toast: "Note taken back" }),
    failed: noteFailure,
  }),
  deleteChat: intent(deleteChat, {
    done: () => ({ to: consoleUrl(), toast: "Chat deleted successfully" }),
    failed: () => "Failed to delete chat",
  }),
  updateChat: intent(updateChat, {
    done: ({ id }, form) => ({ to: urlInList(form.list, id), toast: "Chat updated successfully" }),
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
      to: consoleUrl({ tab: "settings", chat: keptChat(form) }),
      toast: "Chat settings updated successfully",
    }),
    failed: (error) =>
      isFileError(error)
        ? `Failed to update chat settings: ${error.message}`
        : withConflict("Failed to update chat settings")(error),
  }),
  notifications: intent(savePushPreferences, {
    done: (_, form) => ({
      to: consoleUrl({ tab: "settings", chat: keptChat(form) }),
      toast: "Notification settings updated successfully",
    }),
    failed: () => "Failed to update notification settings",
  }),
};
