import { z } from "zod";
import { storedEntry } from "~/features/storage/schema";
import { type AmountReading, dollarAmount, requiredText } from "~/http/fields";

const MAX_URL_LENGTH = 1000;

const ABOVE_ZERO_RULE = "Price must be above 0";

/** Price of a product or of one of its units, in cents. */
export const priceRule = (reading: AmountReading) =>
  z.unknown().transform((value, context) => {
    const fail = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (value === undefined || value === null || value === "") return fail("Price is required");
    const cents = dollarAmount(reading, ABOVE_ZERO_RULE).safeParse(value);
    if (!cents.success) return fail(cents.error.issues.map(({ message }) => message).join());
    return cents.data > 0 ? cents.data : fail(ABOVE_ZERO_RULE);
  });

/** `minio:{key}` or an https URL; this shop's URL of a stored object becomes its `minio:` entry. */
export const imageEntry = requiredText("Required", MAX_URL_LENGTH).transform((text, context) => {
  const entry = storedEntry(text) ?? (isHttpsUrl(text) ? text : null);
  if (entry !== null) return entry;
  context.addIssue({ code: "custom", message: "Must be an address that begins with https://" });
  return z.NEVER;
});

function isHttpsUrl(text: string): boolean {
  return /^https:\/\/\S+$/i.test(text) && URL.canParse(text);
}
