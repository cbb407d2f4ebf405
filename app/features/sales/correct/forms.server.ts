import { z } from "zod";
import { type FormIntents, intent } from "~/http/form-action.server";
import { operation, type StaffContext } from "~/http/operation.server";
import { piecesLeft } from "../correction";
import { type Correction, storeCorrection } from "../operations/correct.server";
import { typedParts } from "../payments";
import { findCorrected } from "../queries/documents.server";
import { draftLines, typedText as text } from "../record/draft";
import { LIMITS, LineFormFields, parseLines, sentDiscount, withAmount } from "../record/forms.server";
import { lineFailure } from "../record/line-failure";
import { CorrectInput } from "../sale-schema";
import { lineProblems } from "../shortages.server";
import { documentLinks, documentPath } from "../urls";

/** Form of a correction; prices are for one piece. */
const CorrectFormInput = z
  .record(z.string(), z.unknown())
  .transform(({ id, saleId, credits, restock, reason, lines, ...paid }) => ({
    ...{ id, saleId, credits, reason, restock: restock === "on" },
    paymentMode: paid.paymentMode,
    payments: typedParts(paid, text(paid.paymentMode)),
    lines: draftLines(lines).map((line) => ({ ...withAmount(line), discount: sentDiscount(line) })),
  }));

/** Corrects a sale from the page's form. @throws AppError as `correctSale` */
const correctByForm = operation({
  access: "staff",
  input: CorrectFormInput,
  form: LineFormFields,
  ...LIMITS,
  run: async ({ input, ...context }) =>
    storeCorrection(
      context,
      await parseLines(CorrectInput, input, async (request) =>
        lineProblems(context, { ...request, returned: await returnedBy(context, input.saleId) }),
      ),
    ),
});

/** Adds up the pieces that a correction takes back. */
async function returnedBy({ db }: StaffContext, saleId: unknown) {
  const found = await findCorrected(db, text(saleId));
  return found ? piecesLeft(found.document) : new Map<string, number>();
}

/** Intent of the form that corrects a sale. */
export const CORRECT_FORMS: FormIntents = {
  correct: intent(correctByForm, {
    done: ({ credit, sale }: Correction) => {
      const documents = sale ? [credit, sale] : [credit];
      return {
        to: documentPath((sale ?? credit).id),
        toast: {
          type: "success",
          message: `Corrected: ${documents.map(({ number }) => number).join(" and ")}`,
          links: documentLinks(documents),
        },
      };
    },
    failed: (error) => lineFailure("corrected")(error),
  }),
};
