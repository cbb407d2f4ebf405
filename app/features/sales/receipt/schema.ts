import { z } from "zod";
import { email } from "~/http/fields";
import { documentId, requestId } from "../schema";

/** Receipt that a reader opens, with the key of a mailed link. */
export const ReceiptInput = z.object({ id: documentId, key: z.string().nullish() });

const blank = (value: unknown) => (value === "" || value === null ? undefined : value);

/** Receipt to be mailed; without `to`, to the address that the customer left. */
export const MailReceiptInput = z.object({
  id: documentId,
  to: z.preprocess(blank, email().optional()),
  /** Of the request: sent again, nothing is mailed again. */
  mailId: requestId,
});

/** Largest number of documents in one PDF. */
const MAX_DOCUMENTS = 100;

/** Ids of the documents in one PDF: `ids=a,b,c`. */
export const ReceiptIds = z
  .string({ error: "Name the receipts: ?ids=" })
  .transform((text) => [...new Set(text.split(",").filter(Boolean))])
  .pipe(
    z
      .array(documentId)
      .min(1, "Name the receipts: ?ids=")
      .max(MAX_DOCUMENTS, `At most ${MAX_DOCUMENTS} receipts`),
  );
