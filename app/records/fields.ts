import { z } from "zod";
import { decimalDollars, dollars } from "~/domain/money";
import { dollarsToCents, optionalText, requiredText, wholeNumber } from "~/http/fields";
import { formatDay } from "~/ui/format";

/** Control of a form that edits a field. */
export type Control =
  | { kind: "text"; maxLength: number }
  | { kind: "money" | "number" | "day" }
  | { kind: "select" | "segments"; values: readonly string[] };

/**
 * Field of a record (docs/architecture.md, Records). `Stored` is its value in the database, `Name` its name in forms and in the API where
 * that differs from the column's, `Rule` what a form and the API accept, `Answer` what the API answers.
 */
export interface RecordField<
  Stored = unknown,
  Name extends string | undefined = string | undefined,
  Rule extends z.ZodType = z.ZodType,
  Answer extends z.ZodType | undefined = z.ZodType | undefined,
> {
  label: string;
  hint: string | undefined;
  name: Name;
  control: Control;
  rule: Rule;
  /** Undefined for a field that the API's answers leave out. */
  answer: Answer;
  /** Value of a new record where the API is sent none. */
  missing: Stored | undefined;
  /** Text of the control for a new record. */
  blank: string;
  /** Content of the audit log: the values, or only that they changed. */
  audit: "values" | "fact";
  toApi(stored: Stored): unknown;
  /** Writes the control's text. */
  toForm(stored: Stored): string;
  /** Writes the value for readers, of a table, a conflict or the audit log. @param shopName SHOP_NAME */
  toText(stored: Stored, shopName?: string): string;
  /** Writes the cell of a file. */
  toCell(stored: Stored, shopName: string): string | number;
}

interface Options<Name extends string | undefined, Stored> {
  label: string;
  hint?: string;
  name?: Name;
  missing?: Stored;
  audit?: RecordField["audit"];
}

/** Takes what all constructors read from their options. */
const described = <Name extends string | undefined, Stored>(options: Options<Name, Stored>) => ({
  label: options.label,
  hint: options.hint,
  name: options.name as Name,
  missing: options.missing,
  audit: options.audit ?? ("values" as const),
});

/** Creates a field of one line of text. @param required message where the text is missing; without it, it is optional */
export function textField<const Name extends string | undefined = undefined>(
  options: Options<Name, string> & { max: number; required?: string },
) {
  const { max, required } = options;
  const rule = required ? requiredText(required, max) : optionalText(max);
  return {
    ...described<Name, string>(options),
    control: { kind: "text" as const, maxLength: max },
    rule: rule.transform((text) => text.normalize("NFC")),
    answer: z.string(),
    blank: "",
    toApi: (text: string) => text,
    toForm: (text: string) => text,
    toText: (text: string) => text,
    toCell: (text: string) => text,
  };
}

/**
 * Creates a field of one of several values, the first of which a new form shows.
 *
 * @param nameOf words for a value
 * @param rule accepts other spellings of the values too
 */
export function choiceField<
  const Value extends string,
  const Name extends string | undefined = undefined,
  Rule extends z.ZodType<Value> = z.ZodType<Value>,
>(
  values: readonly [Value, ...Value[]],
  options: Options<Name, Value> & {
    nameOf: (value: Value, shopName?: string) => string;
    isSegmented?: boolean;
    rule?: Rule;
  },
) {
  const { nameOf, isSegmented = false } = options;
  const known: z.ZodType<Value> = z.enum(values, { error: `Must be one of ${values.join(", ")}` });
  return {
    ...described<Name, Value>(options),
    control: { kind: isSegmented ? ("segments" as const) : ("select" as const), values },
    rule: options.rule ?? known,
    answer: z.enum(values),
    blank: values[0],
    toApi: (value: Value) => value,
    toForm: (value: Value) => value,
    toText: nameOf,
    toCell: nameOf,
  };
}

const isPresent = (value: unknown) =>
  value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
const amount = z
  .custom<unknown>(isPresent, { error: "Amount is required", abort: true })
  .pipe(dollarsToCents);
const blankAsZero = (value: unknown) => (value === "" || value === null ? 0 : value);

/** Creates a field of an amount: dollars in forms, files and the API, cents in the database. */
export function moneyField<const Name extends string | undefined = undefined>(
  options: Options<Name, number> & { isAboveZero?: boolean },
) {
  return {
    ...described<Name, number>(options),
    control: { kind: "money" as const },
    rule: options.isAboveZero ? amount.refine((cents) => cents > 0, "Must be more than 0") : amount,
    answer: z.number(),
    blank: "0",
    toApi: (cents: number) => cents / 100,
    toForm: (cents: number) => decimalDollars(cents),
    toText: dollars,
    toCell: (cents: number) => decimalDollars(cents),
  };
}

/** Creates a field of an amount that may be missing, which is 0; the API leaves a 0 out. */
export function optionalMoneyField<const Name extends string | undefined = undefined>(
  options: Options<Name, number>,
) {
  return {
    ...moneyField(options),
    rule: z.preprocess(blankAsZero, dollarsToCents.optional()),
    answer: z.number().optional(),
    blank: "",
    toApi: (cents: number) => (cents === 0 ? undefined : cents / 100),
    toForm: (cents: number) => (cents === 0 ? "" : decimalDollars(cents)),
  };
}

/** Creates a field of a whole number. @param min also of a new form */
export function numberField<const Name extends string | undefined = undefined>(
  options: Options<Name, number> & { min: number; max: number },
) {
  return {
    ...described<Name, number>(options),
    control: { kind: "number" as const },
    rule: wholeNumber(options.min, options.max),
    answer: z.int(),
    blank: String(options.min),
    toApi: (number: number) => number,
    toForm: (number: number) => String(number),
    toText: (number: number) => number.toLocaleString("en"),
    toCell: (number: number) => number,
  };
}

/**
 * Creates a field of a local day, `YYYY-MM-DD`. The API answers the time itself, which the record's view adds.
 *
 * @param rule of what forms and the API accept
 */
export function dayField<const Name extends string | undefined, Rule extends z.ZodType>(
  options: Options<Name, string> & { rule: Rule },
) {
  return {
    ...described<Name, string>(options),
    control: { kind: "day" as const },
    rule: options.rule,
    answer: undefined,
    blank: "",
    toApi: () => undefined,
    toForm: (day: string) => day,
    toText: formatDay,
    toCell: (day: string) => day,
  };
}
