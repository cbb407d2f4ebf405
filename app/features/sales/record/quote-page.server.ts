import { consoleUrl } from "~/features/chat/console/params";
import { filesAmong, fileUrl, isPicture, THUMBNAIL_WIDTHS } from "~/features/chat/files";
import { readChatFor } from "~/features/chat/operations/messages.server";
import { addDays, localDay } from "~/features/ledger/days";
import { AppError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, parseInput, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { formHeading } from "../cards/urls";
import { storeQuote } from "../quotes.server";
import { QuoteInput } from "../schema";
import { customLine, lineQuestion, type SaleProduct } from "./draft";
import { editLines, LIMITS, lineFailure } from "./forms.server";
import { LineFormFields, localInstant, QuoteFormInput } from "./schema";

/** Data of the form of a quote. */
export type QuotePageData = ResultOf<typeof readQuotePage>;

const VALID_DAYS = 14;
/** Files of the chat that a quote can name, the latest ones. */
const MAX_FILES = 20;

/** Reads the form of a quote in a chat (`chat`), with the chat's files. @throws AppError notFound for the chat */
export const readQuotePage = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const chatId = new URL(input.url).searchParams.get("chat");
    if (!chatId) throw new AppError("notFound", "Chat not found");
    const { chat, messages } = await readChatFor(context, chatId);
    const today = localDay(context.now, context.settings.timezone);
    return {
      heading: formHeading("Quote", chatId),
      // Client id of the form: repeating its POST sends the quote once.
      id: crypto.randomUUID() as string,
      chat: { id: chat.id, name: chat.userName },
      today,
      validUntil: addDays(today, VALID_DAYS),
      files: messages
        .flatMap(({ cards = [] }) => filesAmong(cards))
        .slice(-MAX_FILES)
        .map((file) => ({
          key: file.key,
          name: file.name,
          thumbnail: isPicture(file) ? fileUrl(file.key, THUMBNAIL_WIDTHS[0]) : null,
        })),
      lines: [{ ...customLine(""), businessType: "LASER", category: "ENGRAVING" }],
      products: [] as SaleProduct[],
    };
  },
});

/** Sends a quote from the page's form, whose prices are for one piece. @throws AppError as sendQuote */
const sendQuoteByForm = operation({
  access: "staff",
  input: QuoteFormInput,
  form: LineFormFields,
  ...LIMITS,
  run({ input: { validUntil, ...quote }, ...context }) {
    const at = localInstant(validUntil, context.settings.timezone);
    return storeQuote(context, parseInput(QuoteInput, { ...quote, validUntil: at }));
  },
});

/** Intents of the form of a quote. A button that only edits lines names no intent. */
export const QUOTE_FORMS: FormIntents = {
  edit: intent(editLines, { done: (page) => ({ page }) }),
  quote: intent(sendQuoteByForm, {
    done: ({ chatId, title }) => ({ to: consoleUrl({ chat: chatId }), toast: `Quote sent: ${title}` }),
    failed: lineFailure("quoted"),
    question: lineQuestion,
  }),
};
