import type { ZodType } from "zod";
import { listProducts } from "~/features/catalogue/operations.server";
import { consoleUrl } from "~/features/chat/console/params";
import { AppError, type ErrorDetail, validationError } from "~/http/errors";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, parseInput, type ResultOf, type StaffContext } from "~/http/operation.server";
import { resultOrNull } from "~/http/page.server";
import { findHold } from "../holds.queries.server";
import { MAX_FOUND } from "../limits";
import { storeSale } from "../record.server";
import { SaleInput } from "../schema";
import { type LinesRequest, lineProblems } from "../shortages.server";
import { applyEdit, type DraftLine, lineQuestion, parseEdit, pieces } from "./draft";
import { readSaleProducts } from "./proposal.server";
import { LineEditInput, LineFormFields, SaleFormInput } from "./schema";

/** 100 lines of nine fields, and the others. */
export const LIMITS = { maxFields: 1000, maxBytes: 256 * 1024 };

/** Records a sale from the page's form, whose prices are for one piece. @throws AppError as recordSale */
const recordSaleByForm = operation({
  access: "staff",
  input: SaleFormInput,
  form: LineFormFields,
  ...LIMITS,
  run: async ({ input, ...context }) =>
    storeSale(context, await parseLines(SaleInput, input, (request) => lineProblems(context, request))),
});

/** Form of lines as it was typed. */
interface TypedLines {
  lines: Pick<DraftLine, "productId" | "description" | "quantity">[];
  holdId?: string;
}

/**
 * Checks a form of lines.
 *
 * @param problemsOf lines whose fields are right, such as shortages
 * @throws AppError invalid with every problem of fields and lines
 */
export async function parseLines<I>(
  schema: ZodType<I>,
  form: TypedLines & Record<string, unknown>,
  problemsOf: (request: LinesRequest) => Promise<ErrorDetail[]>,
): Promise<I> {
  try {
    return parseInput(schema, form);
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error;
    const lines = form.lines.map((line) => ({ ...line, quantity: pieces(line) ?? 0 }));
    throw validationError([...error.details, ...(await problemsOf({ lines, holdId: form.holdId }))]);
  }
}

/** Edits the lines of the form without JavaScript: nothing is stored, the form is drawn again. */
export const editLines = operation({
  access: "staff",
  input: LineEditInput,
  form: LineFormFields,
  ...LIMITS,
  async run({ input: { lines, find, edit, holdId, fields }, ...context }) {
    const change = parseEdit(edit);
    const hold = holdId ? await findHold(context.db, holdId) : undefined;
    const added = change.type === "add" ? [change.productId] : [];
    const found = change.type === "find" && find.trim() ? await findProducts(context, find) : null;
    const ids = [...lines.map(({ productId }) => productId), ...added, ...(found ?? [])];
    const products = await readSaleProducts(context, ids, hold);
    const isSearch = change.type === "find";
    return {
      fields,
      lines: applyEdit(lines, change, find, products.get(added[0] ?? "")),
      products: [...products.values()],
      query: isSearch ? find : "",
      foundIds: found?.filter((id) => products.has(id)) ?? null,
    };
  },
});
export type EditedLines = ResultOf<typeof editLines>;

/** Product of the API's list; `price` in dollars. */
export type ListedProduct = ResultOf<typeof listProducts>["rows"][number];

async function findProducts(context: StaffContext, search: string): Promise<string[]> {
  const list = await resultOrNull(listProducts.execute(context, { search, raw: "1", limit: MAX_FOUND }));
  return (list?.rows ?? []).map(({ id }) => id);
}

/** Reports how many lines stop a form; each states its reason. @param participle verb of the form */
export const lineFailure =
  (participle: "sold" | "held" | "quoted") =>
  ({ details }: AppError): string | null => {
    const lines = new Set(details?.flatMap(({ path }) => /^lines\.\d+/.exec(path)?.[0] ?? []));
    if (lines.size === 0) return null;
    return lines.size === 1
      ? `One line can’t be ${participle} as it is.`
      : `${lines.size} lines can’t be ${participle} as they are.`;
  };

/** Intents of Record sale. A button that only edits lines names no intent. */
export const RECORD_FORMS: FormIntents = {
  edit: intent(editLines, { done: (page) => ({ page }) }),
  record: intent(recordSaleByForm, {
    done(documents) {
      const [first] = documents;
      const chatId = first?.chatId ?? null;
      const numbers = documents.map(({ number }) => number).join(" and ");
      return {
        to: chatId ? consoleUrl({ chat: chatId }) : "/admin/documents",
        toast: {
          type: "success",
          message: `Sale recorded: ${numbers}`,
          links: documents.map(({ id, number }) => ({ to: `/receipts/${id}`, label: `Receipt ${number}` })),
        },
      };
    },
    failed: lineFailure("sold"),
    question: lineQuestion,
  }),
};
