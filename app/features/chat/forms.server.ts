import { type FormIntent, intent } from "~/http/form-action.server";
import { createChat, openByLink, postMessage, startProductChat } from "./operations.server";

type Fields = Record<string, unknown>;

/** Leads to the new chat; a script that sent the form (`stay`) opens it and shows the toast itself. */
export const begun = ({ chatId }: { chatId: string }, form: Fields) => ({
  to: `/chat/${chatId}`,
  stay: form.stay === "1",
  toast: "Chat started successfully!",
});

/** What is said where the server has no words of its own. */
const START_FAILED = "Failed to start chat. Please try again.";
const SEND_FAILED = "Failed to send message. Please try again.";
const told = (otherwise: string) => (error: { status: number; message: string }) =>
  error.status >= 500 ? otherwise : error.message;

/** What the forms to /chat ask for: the details entry, and Buy Now. */
export const START_FORMS: Record<string, FormIntent<unknown>> = {
  start: intent(createChat, { done: begun, failed: ({ status }) => (status >= 500 ? START_FAILED : null) }),
  product: intent(startProductChat, { done: begun, failed: told(START_FAILED) }),
};

/** What the forms to /chat/{id} ask for: a message, whose problems stand at its field, and agreement to a mailed link. */
export const WRITE_FORMS: Record<string, FormIntent<unknown>> = {
  write: intent(postMessage, { failed: (error) => (error.details ? null : told(SEND_FAILED)(error)) }),
  open: intent(openByLink, { done: ({ chatId }) => ({ to: `/chat/${chatId}` }) }),
};
