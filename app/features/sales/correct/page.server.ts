import { decimalDollars } from "~/domain/money";
import { AppError } from "~/http/errors";
import { operation, parseInput, type ResultOf } from "~/http/operation.server";
import { PageInput } from "~/http/page.server";
import { type CorrectedSale, leftLine, type Part, piecesLeft, remainingParts } from "../correction";
import { discountCents } from "../discount";
import { findCorrected } from "../queries/documents.server";
import { customLine, type DraftLine } from "../record/draft";
import { readSaleProducts, withNamed } from "../record/proposal.server";
import { DocumentInput } from "../schema";
import { documentPath, formHeading } from "../urls";

/** Data of the form that corrects a sale. */
export type CorrectSaleData = ResultOf<typeof readCorrectSale>;

/** Reads the form that corrects a sale (`correct`), and adds the lines of `products`. @throws AppError notFound */
export const readCorrectSale = operation({
  access: "staff",
  input: PageInput,
  async run({ input, ...context }) {
    const { searchParams } = new URL(input.url);
    const { id } = parseInput(DocumentInput, { id: searchParams.get("correct") });
    const found = await findCorrected(context.db, id);
    if (found?.document.kind !== "sale") throw new AppError("notFound", "Sale not found");
    const { document, credits } = found;
    const added = (searchParams.get("products") ?? "").split(",");
    const parts = remainingParts(document);
    const lines = parts.map((part) => draftOf(part, document, document.businessType));
    const products = await readSaleProducts(
      context,
      [...lines.map(({ unitId }) => unitId), ...added],
      undefined,
      true,
    );
    const returned = piecesLeft(document);
    const { requestHash: _, ...shown } = document;
    return {
      form: "correct" as const,
      heading: formHeading(`Correct ${document.number}`, document.chatId),
      // Idempotency key of the form: repeating its POST corrects once.
      id: crypto.randomUUID() as string,
      corrected: shown,
      credits: credits.credits,
      roundingSoFarCents: document.roundingCents + credits.roundingCents,
      lines: withNamed(lines, added, products),
      // The correction gives the pieces of the sale back.
      products: [...products.values()].map((product) => ({
        ...product,
        available: product.available + (returned.get(product.id) ?? 0),
      })),
      back: documentPath(document.id),
      isNothingLeft: parts.length === 0,
    };
  },
});

/** Fills a line with what is left of it, its discount as it was given; cents that its pieces don't divide are one too. */
function draftOf(part: Part, sale: CorrectedSale, business: DraftLine["businessType"]): DraftLine {
  const { unit, description, category, quantity, priceCents } = leftLine(part, sale);
  const { returned, discountCents: agreed, discountReason, discountBasisPoints } = part.line;
  const each = Math.ceil((priceCents + (returned > 0 ? 0 : agreed)) / quantity);
  const offCents = each * quantity - priceCents;
  const share = discountBasisPoints === null ? undefined : { basisPoints: discountBasisPoints };
  // Only a percentage that gives the same amount leaves the line as it is.
  const isShare = share !== undefined && discountCents(each * quantity, share) === offCents;
  return {
    ...customLine(description),
    ...{ unitId: unit ?? "", category, businessType: business, quantity: String(quantity) },
    price: decimalDollars(each),
    discount: isShare ? `${share.basisPoints / 100}%` : offCents > 0 ? decimalDollars(offCents) : "",
    reason: offCents > 0 ? discountReason : "",
  };
}
