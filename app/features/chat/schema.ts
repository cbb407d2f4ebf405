import { z } from "zod";
import { BUSINESSES } from "~/domain/enums";
import { PERIODS } from "~/domain/periods";
import { choiceInputs, colorInput, engravingInput, joinChoice } from "~/features/catalogue/schema";
import { attachedFiles, filesOf, isBlank } from "~/features/storage/schema";
import {
  clientId,
  EMAIL_SHAPE,
  flag,
  id,
  listWindow,
  openedValues,
  optionalId,
  optionalText,
  otherId,
  visitorNameField,
  wholeNumber,
} from "~/http/fields";
import { QUESTIONS } from "./introduction";
import { CHAT_FILTERS, CHAT_REPORTS, CHAT_STATES, MAIL_IDS, MAX_MESSAGE, MAX_SEARCH } from "./limits";
import { type CardTypeBy, cardTypesBy, ProductCard } from "./protocol";

/** Beginning of the ids that the shop derives for its own messages: a client's would keep them from being posted. */
const DERIVED_IDS = [...cardTypesBy("shop").map((type) => `${type}-`), MAIL_IDS];

export const CONTROL = /(?![\t\n\r])\p{Cc}/u;
/** Counts an emoji as one character. */
const isShort = (text: string) => [...text].length <= MAX_MESSAGE;
export const hasVisibleCharacter = (text: string) =>
  /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
const MAX_LENGTH_MESSAGE = `Must be at most ${MAX_MESSAGE.toLocaleString("en")} characters`;

/** Text of several lines: trimmed, 1 to 2,000 characters. @param missing message for a blank one */
const writtenText = (missing: string) =>
  z
    .string({ error: missing })
    // Forms send CRLF line ends.
    .overwrite((text) => text.replace(/\r\n?/g, "\n"))
    .trim()
    .min(1, { error: missing, abort: true })
    .refine(hasVisibleCharacter, missing)
    .refine(isShort, MAX_LENGTH_MESSAGE)
    .refine((text) => !CONTROL.test(text) && text.isWellFormed(), "Contains characters that are not allowed");

export const messageText = writtenText("Message is required");

/** Optional message text; blank counts as missing. */
const optionalMessage = z.preprocess(
  (value) => (typeof value === "string" && value.trim() === "" ? undefined : (value ?? undefined)),
  messageText.optional(),
);

const optionalEmail = optionalText(254)
  .transform((text) => text.replace(/\p{Cf}/gu, "").normalize("NFC"))
  .refine((text) => text === "" || EMAIL_SHAPE.test(text), "Please enter a valid email address");

/** Name and e-mail address of a visitor. */
const visitorDetails = { userName: visitorNameField(), userEmail: optionalEmail };

/** Set by plain forms: a line that names the product is appended to the message, as scripts do before they send it. */
const about = optionalText(400).optional();

const isMissing = (value: unknown) => value === "" || value === null;

/** Quantity and options with which a product is asked about; blank counts as missing. */
const askedOptions = {
  quantity: z.preprocess(
    (value) => (isMissing(value) ? undefined : value),
    wholeNumber(1, 1_000_000).optional(),
  ),
  color: colorInput.transform((text) => text ?? undefined),
  engraving: engravingInput.transform((text) => text ?? undefined),
};

const START_KEY = /^[\da-f]{32}$/;
/** Key of a start, by which repeated requests start one chat. */
const startKey = z
  .string({ error: "Must be text" })
  .regex(START_KEY, "Must be 32 of 0-9 and a-f")
  .meta({ examples: ["0b1e9a52c4d84f6fa3b7e2d15c8f6a90"] })
  .optional();
const OUTDATED_FORM = "This page is out of date. Please reload it and send the form again.";
/** Key of the page's form; blank, as pages that a script has drawn send it, counts as missing. */
const formKey = z.preprocess(
  (value) => (value === "" ? undefined : value),
  z.string({ error: OUTDATED_FORM }).regex(START_KEY, OUTDATED_FORM).optional(),
);

/**
 * Input of a chat. `keepCart` stores the visitor's cart with it, `productId` is a product that it is about, with a quantity
 * and options; `continue` continues the visitor's open conversation, `files` belong to the first message.
 */
const createInput = z.object({
  ...visitorDetails,
  initialMessage: optionalMessage,
  isAnonymous: flag.optional(),
  keepCart: flag.optional(),
  productId: optionalId,
  ...askedOptions,
  continue: flag.optional(),
  about,
  files: attachedFiles,
  key: formKey,
});

/** Input of a chat, as JSON or as a form with files. */
export const CreateInput = z.preprocess(startFields, createInput.extend({ key: startKey }));

function startFields(raw: unknown, ctx: z.core.$RefinementCtx): unknown {
  const { form, ...fields } = Object(raw) as Record<string, unknown>;
  if (!(form instanceof FormData)) return { ...fields, files: [] };
  return { ...Object.fromEntries(form), ...fields, files: filesOf(form, ctx) };
}

/** Input of the form that starts a chat, which sends something. */
export const StartFormInput = z.preprocess(
  startFields,
  createInput.refine(({ initialMessage, files }) => initialMessage !== undefined || files.length > 0, {
    path: ["initialMessage"],
    error: "Write your message first",
  }),
);

/** Input of a visitor's introduction after their first message: what was asked for, or both. */
export const IntroductionInput = z
  .object({ chatId: id, question: z.enum(QUESTIONS).optional().catch(undefined), ...visitorDetails })
  .superRefine(({ userName, userEmail, question = "userEmail" }, { addIssue }) => {
    if (userName || userEmail) return;
    const missing = question === "userName" ? "Enter a name, or skip" : "Enter an email address, or skip";
    addIssue({ code: "custom", path: [question], message: missing });
  });

/** Input of skipping a question of the introduction. */
export const SkippedQuestionInput = z.object({
  chatId: id,
  question: z.enum(QUESTIONS, { error: `Must be one of ${QUESTIONS.join(", ")}` }),
});

/** Input of the question about a product, which opens the chat and sends nothing. */
export const AskInput = z
  .object({
    id,
    quantity: z
      .string()
      .regex(/^\d{1,7}$/)
      .optional()
      .catch(undefined),
    color: z.string().max(200).optional().catch(undefined),
    ...choiceInputs,
    engraving: z.string().max(200).optional().catch(undefined),
  })
  .transform(joinChoice);

/** Input of a chat about a product; blank means one piece, and the operation limits the quantity to the stock. */
export const ProductChatInput = z
  .object({
    id,
    quantity: z.preprocess((value) => (value ?? "") || 1, wholeNumber(1, 1_000_000)),
    color: colorInput,
    ...choiceInputs,
    engraving: engravingInput,
    key: formKey,
  })
  .transform(joinChoice);

export const EmptyInput = z.object({});
export const KeyInput = z.object({ key: formKey });

/** Card that the shop alone adds to a message. */
const ShopCard = z.looseObject({ type: z.enum(cardTypesBy("shop", "upload")) });

/** Cards of a new message by their types. */
const NEW_CARDS = { product: ProductCard.extend(askedOptions) } satisfies Record<
  CardTypeBy<"writer">,
  z.ZodType
>;

/** Card of a new message; forms of staff send it as JSON, and blank counts as missing. */
const newCard = z.preprocess((value) => {
  if (typeof value !== "string") return value ?? undefined;
  if (value === "") return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}, z.union([ShopCard, ...Object.values(NEW_CARDS)], { error: "Must be a product card" }).optional());

/** Reads a message's fields of a form or JSON; the text of a message with files may be blank. */
function messageFields(raw: unknown, ctx: z.core.$RefinementCtx): unknown {
  const { form, ...fields } = Object(raw) as Record<string, unknown>;
  if (!(form instanceof FormData)) return { ...fields, message: fields.message ?? "", files: [] };
  const sent = { ...Object.fromEntries(form), ...fields, files: filesOf(form, ctx) };
  const hasFiles = sent.files.some((file) => file instanceof File && !isBlank(file));
  const text = form.get("message");
  const isBlankText = text === null || (typeof text === "string" && text.trim() === "");
  const message = hasFiles && isBlankText ? undefined : (text ?? "");
  return { ...sent, message, card: form.get("card") ?? askedCard(form) };
}

/** Builds the card of a visitor's form. */
function askedCard(form: FormData): unknown {
  const productId = form.get("productId");
  if (!productId) return undefined;
  const [quantity, color, engraving] = ["quantity", "color", "engraving"].map((name) => form.get(name));
  return { type: "product", productId, quantity, color, engraving };
}

/** Fields of a visitor's form that name a product. */
export const MessageFormFields = z.object({ productId: optionalId, ...askedOptions });

/** Characters of a message's id, also of one that the shop derived. */
const MAX_MESSAGE_ID = 200;
/** Id of the message that is replied to; blank counts as missing. */
const replyTo = z.preprocess(
  (value) => (isMissing(value) ? undefined : value),
  z
    .string({ error: "Must be text" })
    .max(MAX_MESSAGE_ID, "Too long")
    .meta({ description: "Id of a message of the same chat" })
    .optional(),
);

/** Fields of a message; a blank `id` counts as missing. */
const messageInput = z.object({
  chatId: id,
  message: messageText.optional(),
  isFromAdmin: flag.optional(),
  senderName: visitorNameField(),
  id: clientId({
    isReserved: (text) => DERIVED_IDS.some((beginning) => text.startsWith(beginning)),
    reserved: `Must not begin with ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(DERIVED_IDS)}`,
  }),
  card: newCard,
  replyTo,
  about,
  files: attachedFiles,
});

/** Input of a message, as JSON or as a form with files; the text is missing only beside files. */
export const MessageInput = z.preprocess(messageFields, messageInput);

const seq = z.preprocess(
  (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.number({ error: "Must be a whole number" }).int("Must be a whole number").min(0, "Must be 0 or more"),
);

/** Input of reading a chat, with `after` from the message after that seq. */
export const MessagesInput = z.object({ id, after: seq.optional() });

export const ChatInput = z.object({ id });

/** Input of a note by staff. */
export const NoteInput = z.object({
  id,
  note: writtenText("Write the note first"),
  noteId: clientId(),
});

/** Input of another text for a note. */
export const ChangedNoteInput = z.object({ id, noteId: id, note: writtenText("Write the note first") });

/** Input of taking back a note. */
export const RemovedNoteInput = z.object({ id, noteId: id });

/** Input of reading the notes of a chat. */
export const NotesInput = z.object({ id, ...listWindow });

/** Input of a read mark: of staff with `isAdmin`, else of the chat's visitor up to `seq`. */
export const ReadInput = z.object({
  id,
  isAdmin: z.preprocess((value) => value ?? false, flag),
  seq: seq.optional(),
});

export const ListInput = z.object(listWindow);

/** Searched text; blank counts as missing. */
const searchText = z.preprocess(
  (value) => value ?? "",
  z.string({ error: "Must be text" }).max(MAX_SEARCH, `Must be at most ${MAX_SEARCH} characters`).trim(),
);

/** One of some values; blank counts as missing. */
const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(
    (value) => value || undefined,
    z.enum(values, { error: `Must be one of ${values.join(", ")}` }).optional(),
  );

export const ChatListInput = ListInput.extend({
  q: searchText,
  filter: choice(CHAT_FILTERS),
  /** Chats that a figure of the dashboard counts, in its business and period. */
  report: choice(CHAT_REPORTS),
  business: choice(BUSINESSES),
  period: choice(PERIODS),
});

/** Values of a chat that the caller read; missing fields are not compared. */
const SeenChat = z.object({ assigneeId: otherId.nullable(), state: z.enum(CHAT_STATES) }).partial();

/** Changed fields of a chat; a blank assignee clears it. */
export const ChatChangesInput = z.object({
  id,
  userName: visitorNameField()
    .refine((name) => name !== "", "Name is required")
    .optional(),
  assigneeId: z.preprocess((value) => (value === "" ? null : value), otherId.nullable().optional()),
  state: z.enum(CHAT_STATES, { error: `Must be one of ${CHAT_STATES.join(", ")}` }).optional(),
  was: z.union([SeenChat, openedValues(SeenChat)]).optional(),
});

export const LinkInput = z.object({ chatId: id, key: z.string({ error: "Must be text" }) });
