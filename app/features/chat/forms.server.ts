import { BODY_TOO_LARGE } from "~/http/body.server";
import type { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { introduce, skipQuestion } from "./operations/introduction.server";
import { openByLink } from "./operations/mails.server";
import { postMessage } from "./operations/messages.server";

type Fields = Record<string, unknown>;

/** Redirects to the chat; a script that sent the form (`stay`) opens it in the panel. */
export const chatStarted = ({ chatId, isNew }: { chatId: string; isNew: boolean }, form: Fields) => ({
  to: `/chat/${chatId}`,
  stay: form.stay === "1",
  ...(isNew && { toast: "Chat started successfully!" }),
});

const SAVE_FAILED = "This could not be saved. Please try again.";
const SEND_FAILED = "Failed to send message. Please try again.";
/** Replaces the message of a body that is too large: only files make it so. */
export const FILES_TOO_LARGE = "The files are larger than 50 MB together. Please choose fewer at a time.";
/** Replaces the message of a server error. */
export const messageOr = (fallback: string) => (error: { status: number; message: string }) =>
  error.status >= 500 ? fallback : error.message === BODY_TOO_LARGE ? FILES_TOO_LARGE : error.message;

/** Fields whose problem the page has no place for, and whose message says what to do. */
const EXPLAINED = ["color", "engraving", "key", "choice1", "choice2", "choice3"];

/** Repeats the message of a colour, of words to engrave, or of the page's key. */
export const explainedProblem = ({ details }: AppError): string | null =>
  details?.find(({ path }) => EXPLAINED.includes(path))?.message ?? null;

/** Composes the message of a refused message; the page gives one whose id is taken a new id. */
function writeProblem(error: AppError): string | null {
  if (error.details) return null;
  const isIdTaken = error.code === "conflict";
  return isIdTaken ? "This message was not sent. Please send it again." : messageOr(SEND_FAILED)(error);
}

/** Intents of the forms to /chat/{id}: a message, the introduction, and the confirmation of a mailed link. */
export const WRITE_FORMS: FormIntents = {
  write: intent(postMessage, { failed: writeProblem }),
  introduce: intent(introduce, {
    done: ({ chatId }) => ({ to: `/chat/${chatId}`, toast: "Thank you" }),
    failed: (error) => (error.details ? null : messageOr(SAVE_FAILED)(error)),
  }),
  skip: intent(skipQuestion, { done: ({ chatId }) => ({ to: `/chat/${chatId}` }) }),
  open: intent(openByLink, { done: ({ chatId }) => ({ to: `/chat/${chatId}` }) }),
};
