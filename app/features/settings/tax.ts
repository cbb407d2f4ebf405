import { z } from "zod";
import { BUSINESSES, type Business } from "~/domain/enums";
import type { ErrorDetail } from "~/http/errors";
import { flag, optionalText, wholeNumber } from "~/http/fields";

const BASIS_POINTS_PER_PERCENT = 100;

/** Percent in, basis points out: `13` is 1300, at most two decimals; null when it is empty. */
const rate = z
  .union([z.string(), z.number()], { error: "Must be a percentage" })
  .transform((value) => String(value).trim())
  .refine((text) => /^(?:\d{1,2}(?:\.\d{1,2})?)?$/.test(text), "Must be a percentage from 0 to 99.99")
  .transform((text) => (text === "" ? null : Math.round(Number(text) * BASIS_POINTS_PER_PERCENT)))
  .meta({ examples: [13] });

const registration = {
  number: optionalText(50),
  name: optionalText(20),
  rate,
  isIncluded: flag,
};

/** Finds what a registration lacks: name and rate of the tax that its number stands for. */
export function missingIn({
  number,
  name,
  rate,
}: Pick<TaxSettings, "number" | "name"> & { rate: number | null }) {
  const missing: ErrorDetail[] = [];
  if (number !== "" && name === "")
    missing.push({ path: "name", message: "Enter the name of the tax, such as HST" });
  if (number !== "" && rate === null)
    missing.push({ path: "rate", message: "Enter the rate, or 0 where none is charged" });
  return missing;
}

/** Form of a business's tax registration. */
export const TaxSettingsInput = z
  .object({
    business: z.enum(BUSINESSES, { error: `Must be one of ${BUSINESSES.join(", ")}` }),
    ...registration,
    // Browsers do not send an unticked box.
    isIncluded: flag.default(false),
    version: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  })
  .superRefine((settings, context) => {
    for (const { path, message } of missingIn(settings))
      context.addIssue({ code: "custom", path: [path], message });
  })
  .transform(({ rate, ...settings }) => ({ ...settings, rate: rate ?? 0 }));

/** Stored tax registration of a business. */
export interface TaxSettings {
  business: Business;
  /** Registration number; empty without registration. */
  number: string;
  name: string;
  /** Basis points: 1300 is 13 %. */
  rate: number;
  /** Prices include the tax. */
  isIncluded: boolean;
  /** 0 before the first save. */
  version: number;
}

const RegistrationChanges = z.object(registration).partial();

/** Changes of tax registrations as the API takes them: any fields; the others stay. */
export const TaxInput = z.object({ EMPORIA: RegistrationChanges, LASER: RegistrationChanges }).partial();

const RegistrationAnswer = z.object({
  number: z.string().meta({ description: "Registration number; empty without registration", examples: [""] }),
  name: z.string().meta({ examples: ["HST"] }),
  rate: z.number().meta({ description: "Percent", examples: [13] }),
  isIncluded: z.boolean().meta({ description: "Prices include the tax" }),
});

/** Tax registrations as the API answers them. */
export const TaxAnswer = z.object({ EMPORIA: RegistrationAnswer, LASER: RegistrationAnswer });

/** Converts stored registrations to the API's. */
export const taxView = (stored: TaxSettings[]): z.infer<typeof TaxAnswer> =>
  Object.fromEntries(
    stored.map(({ business, version: _, rate, ...settings }) => [
      business,
      { ...settings, rate: rate / BASIS_POINTS_PER_PERCENT },
    ]),
  ) as z.infer<typeof TaxAnswer>;
