import { z } from "zod";
import { localTo } from "~/domain/local-to";
import { chatStarted, explainedProblem } from "~/features/chat/forms.server";
import type { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import type { Toast } from "~/http/toasts.server";
import { startCartChat } from "./chat.server";
import {
  addToCart,
  changeOptions,
  clearCart,
  removeFromCart,
  requireFilledCart,
  restoreCart,
  setQuantity,
} from "./operations.server";
import { CART_PATH } from "./optimistic";
import { ITEM_REMOVED } from "./view";

type Fields = Record<string, unknown>;
type Added = Awaited<ReturnType<typeof addToCart.execute>>;

/** Redirect and toast after a cart action; a form sent by JavaScript (`stay`) gets no redirect. */
const outcome = (form: Fields, toast?: Toast | string) => ({
  to: localTo(form.redirectTo, "/cart"),
  stay: form.stay === "1",
  ...(toast && { toast }),
});

const failed = (error: AppError) => explainedProblem(error) ?? error.message;

/** Form actions of /cart, with their messages. */
export const CART_FORMS: FormIntents = {
  add: intent(addToCart, { done: (added, form) => outcome(form, addedMessage(added, form)), failed }),
  set: intent(setQuantity, {
    done: (put, form) =>
      outcome(form, put === null ? removed(form) : put.isLimited ? onlyLeft(put.quantity) : undefined),
    failed,
  }),
  options: intent(changeOptions, {
    done: (note, form) => outcome(form, withNote("Choice saved", note)),
    failed,
  }),
  remove: intent(removeFromCart, { done: (_, form) => outcome(form, removed(form)), failed }),
  clear: intent(clearCart, { done: (hadLines, form) => outcome(form, cleared(hadLines, form)), failed }),
  restore: intent(restoreCart, { done: (_, form) => outcome(form), failed }),
  chat: intent(startCartChat, { done: chatStarted, failed }),
  message: intent(requireFilledCart, { done: (_, form) => outcome(form), failed }),
};

/** Reports what was added; where the stock allowed fewer, all of it is in the cart. */
function addedMessage({ name, stock, isLimited, note }: Added, form: Fields): Toast | string | undefined {
  if (isLimited) return { type: "info", message: `Only ${stock} in stock: ${stock} in your cart` };
  if (form.quietly === "1") return undefined;
  return withNote(`${name} added to cart${isFromProduct(form) ? "!" : ""}`, note);
}

/** Appends the note on words that exceed the plate. */
function withNote(message: string, note: string | null | undefined): Toast | string {
  return note ? { type: "info", message: `${message.replace("!", "")}. ${note}` } : message;
}

const isFromProduct = (form: Fields) => localTo(form.redirectTo, "").startsWith("/products/");

/** Fields of a line's form from which it is put back; `was` is its quantity. */
const LINE = z.object({
  id: z.string(),
  color: z.string().default(""),
  engraving: z.string().default(""),
  was: z.string(),
  at: z.string(),
});

const isShownInCart = (form: Fields) =>
  form.stay === "1" || localTo(form.redirectTo, CART_PATH) === CART_PATH;

const CLEARED = "Cart cleared";

/** Reports a cleared cart, with the form that puts it back where the cart shows it. */
function cleared(hadLines: boolean, form: Fields): Toast | string {
  if (!hadLines || !isShownInCart(form)) return CLEARED;
  const undo = { subject: "", action: CART_PATH, intent: "restore", id: "" };
  return { type: "success", message: CLEARED, undo };
}

/** Reports a removed line, with the form that puts it back where the cart shows it. */
function removed(form: Fields): Toast | string {
  const { data } = LINE.safeParse(form);
  if (!data || !isShownInCart(form)) return ITEM_REMOVED;
  const { id, was: quantity, ...fields } = data;
  const undo = { subject: "", action: CART_PATH, intent: "add", id, fields: { ...fields, quantity } };
  return { type: "success", message: ITEM_REMOVED, undo };
}

const onlyLeft = (stock: number): Toast => ({ type: "info", message: `Only ${stock} left` });
