import { z } from "zod";
import { CURRENCY } from "~/domain/currency";
import { EXAMPLES } from "./fields";

// Parts of the API's answers as schemas; tests compare them with real answers (docs/product.md, 3.4).

export const Count = z.int().min(0);
export const Dollars = z.number().meta({ description: CURRENCY, examples: [24.5] });
export const Id = z.string().meta({ examples: [EXAMPLES.id] });
export const AnyId = Id.nullable();
export const Time = z
  .object({ seconds: z.int(), nanoseconds: z.int() })
  .meta({ id: "Time", description: "Seconds since 1970-01-01 UTC and nanoseconds" });

export const MessageAnswer = z.object({ message: z.string() });

/** Meaning of the statuses of errors. */
export const ERRORS: Record<number, string> = {
  400: "Invalid input",
  401: "Not signed in, or an API key that is not valid",
  403: "Not permitted",
  404: "Not found",
  409: "Conflict with what is stored",
  413: "Body too large",
  415: "Unsupported type of body",
  429: "Too many requests; Retry-After tells when to try again",
  500: "Internal error",
  503: "Temporarily unavailable; Retry-After tells when to try again",
};

export const Problem = z
  .object({
    message: z.string(),
    ERR_MSG: z.string().meta({ description: "The same as message" }),
    reference: z.string().optional().meta({ description: "Of a 5xx, for its entry in the log" }),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description: "Each invalid field; for a sale or hold each line that the stock does not cover",
      }),
  })
  .meta({ id: "Error", examples: [{ message: "Not found", ERR_MSG: "Not found" }] });
