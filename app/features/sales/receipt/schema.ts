import { z } from "zod";
import { email, optional } from "~/http/fields";
import { documentId, requestId } from "../schema";

/** Receipt that a reader opens, with the key of a mailed link. */
export const ReceiptInput = z.object({ id: documentId, key: z.string().nullish() });

/** Receipt to be mailed; without `to`, to the address that the customer left. */
export const MailReceiptInput = z.object({
  id: documentId,
  to: optional(email()),
  /** Idempotency key: a request that is sent again mails once. */
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
