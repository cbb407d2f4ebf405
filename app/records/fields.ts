import { z } from "zod";
import { CURRENCY } from "~/domain/currency";
import { formatDay } from "~/domain/day-text";
import type { BusinessNames } from "~/domain/enums";
import { grouped } from "~/domain/grouped";
import { decimalDollars, dollars } from "~/domain/money";
import {
  type AmountReading,
  DOLLARS,
  dollarAmount,
  flag,
  optionalLines,
  optionalText,
  requiredText,
  wholeNumber,
} from "~/http/fields";
import { joinList, splitList } from "./cells";

/** Control of a form that edits a field. */
export type Control =
  | { kind: "text"; input: TextInput }
  | { kind: "money" | "number" | "day" }
  | { kind: "flag"; caption: string }
  | { kind: "select" | "segments"; values: readonly string[] }
  /** The form draws it itself. */
  | { kind: "custom" };

/** Attributes of a text's control; `rows` of a text of several lines. */
interface TextInput {
  type?: "email" | "tel" | "url";
  rows?: number;
  maxLength?: number;
  placeholder?: string;
  autoCapitalize?: "none";
  spellCheck?: false;
  required?: true;
}

/** Value of a form's field, as the browser sends it; null for a checkbox without a tick. */
export type FormValue = string | string[] | object | null;

/**
 * Field of a record (docs/architecture.md, Records). `Stored` is its value in the database, `Name` its name in forms and in the API where
 * that differs from the column's, `Rule` what the API accepts, and a form without a `typedRule`, `Answer` what the API answers.
 */
export interface RecordField<
  Stored = unknown,
  Name extends string | undefined = string | undefined,
  Rule extends z.ZodType = z.ZodType,
  Answer extends z.ZodType | undefined = z.ZodType | undefined,
> {
  label: string;
  /** Forms add "(optional)" to its label. */
  isMarkedOptional: boolean;
  hint: string | undefined;
  name: Name;
  control: Control;
  /** Sixths of a form's width; by default what the control suggests. */
  width: 2 | 3 | 6 | undefined;
  /** Cell of a spreadsheet's template, and value of the API's document. */
  example: string;
  /** Other headers of its column in spreadsheets, the likeliest first, as `headerKey` writes them. */
  synonyms: readonly string[];
  rule: Rule;
  /** Rule of forms, where people type the value in more ways than the API accepts. */
  typedRule?: z.ZodType;
  /** Undefined for a field that the API's answers leave out. */
  answer: Answer;
  /**
   * The shop's search finds its words: without accents, otherwise as they are written (`Weißgold` by `weißgold` alone). Name,
   * description and colours are also found by other spellings, for which they have a second column (`search_name`).
   * Triggers have its column (scripts/record-triggers.ts).
   */
  isSearched: boolean;
  /** The list shows it in a column beside those that the list's screen draws. */
  isListed: boolean;
  /** Value of a new record where the API is sent none. */
  missing: Stored | undefined;
  /** Value of the control for a new record. */
  blank: FormValue;
  /** Content of the audit log: the values, or only that they changed. */
  audit: "value" | "fact";
  toApi(stored: Stored): unknown;
  /** Writes the control's value. */
  toForm(stored: Stored): FormValue;
  /** Writes the value for readers, of a table, a conflict or the audit log. @param businessNames names of the shop's settings */
  toText(stored: Stored, businessNames?: BusinessNames): string;
  /** Writes the cell of a file. */
  toCell(stored: Stored, businessNames?: BusinessNames): string | number;
}

export interface FieldInit<Name extends string | undefined, Stored> {
  label: string;
  isMarkedOptional?: true;
  hint?: string;
  name?: Name;
  missing?: Stored;
  audit?: RecordField["audit"];
  isSearched?: boolean;
  isListed?: boolean;
  width?: RecordField["width"];
  example?: string;
  /** Separated by white space. */
  synonyms?: string;
}

/** A text says what the audit log keeps of it: a value that names a person can't be erased there (docs/decisions/0029-audit.md). */
interface Audited {
  audit: "value" | "fact";
}

/** Takes what all constructors read from their options. */
export const described = <Name extends string | undefined, Stored>(options: FieldInit<Name, Stored>) => ({
  label: options.label,
  isMarkedOptional: options.isMarkedOptional ?? false,
  hint: options.hint,
  name: options.name as Name,
  missing: options.missing,
  audit: options.audit ?? ("value" as const),
  isSearched: options.isSearched ?? false,
  isListed: options.isListed ?? false,
  width: options.width,
  example: options.example ?? "",
  synonyms: options.synonyms?.split(/\s+/) ?? [],
});

/** Gives the API's document the example of a text. */
const exampleOf = ({ example }: { example?: string }) => (example ? { examples: [example] } : {});

/** Keeps French quotation marks on the line of the words that they enclose: `« Élodie »`. */
const joinedQuotes = (text: string) => text.replace(/(?<=«) (?=\S)|(?<=\S) (?=»)/g, "\u00a0");

const same = <T>(value: T) => value;
const TEXT = { toApi: same<string>, toForm: same<string>, toText: same<string>, toCell: same<string> };

/**
 * Creates a field of text.
 *
 * @param max characters of the text and, unless `input` names a type, of its control; 200 where there is no `rule`
 * @param required message where the text is missing; without it, it is optional
 * @param input attributes of its control
 * @param rule in place of that by `max` and `required`; a `max` beside it holds too
 */
export function textField<const Name extends string | undefined = undefined>(
  options: FieldInit<Name, string> &
    Audited & {
      max?: number;
      required?: string;
      input?: TextInput;
      rule?: z.ZodType<string>;
      blank?: string;
    },
) {
  const { max = options.rule ? Infinity : 200, required, input, blank = "" } = options;
  const optional = input?.rows ? optionalLines(max) : optionalText(max);
  const rule: z.ZodType<string> = options.rule ?? (required ? requiredText(required, max) : optional);
  // NFC has two signs for some letters: a text that no longer fits could not be saved again.
  const fits = (text: string) => [...text].length <= max;
  const isUnlimited = input?.type !== undefined || max === Infinity;
  return {
    ...described<Name, string>(options),
    control: { kind: "text" as const, input: isUnlimited ? { ...input } : { maxLength: max, ...input } },
    rule: rule
      .transform((text) => joinedQuotes(text.normalize("NFC")))
      .refine(fits, `Must be at most ${max} characters`)
      .meta({ override: exampleOf(options) }),
    answer: z.string().meta(exampleOf(options)),
    blank,
    ...TEXT,
  };
}

/**
 * Creates a field of one of several values; a new form shows the first.
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
  options: FieldInit<Name, Value> & {
    nameOf: (value: Value, businessNames?: BusinessNames) => string;
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
const amount = (reading: AmountReading, below?: string): z.ZodType<number> =>
  z
    .unknown()
    .refine(isPresent, { error: "Amount is required", abort: true })
    .pipe(dollarAmount(reading, below));
const ABOVE_ZERO_RULE = "Must be more than 0";
const missingAsZero = (reading: AmountReading): z.ZodType<number> =>
  z.preprocess((value) => (value === "" ? 0 : (value ?? 0)), dollarAmount(reading));

/**
 * Creates a field of an amount: dollars in forms, files and the API, cents in the database.
 *
 * @param isOptional takes a missing amount for 0, and leaves a 0 out of forms and of the API's answers
 * @param ruleOf creates the rule, with messages of its own
 */
export function moneyField<
  const Name extends string | undefined = undefined,
  const IsOptional extends boolean = false,
>(
  options: FieldInit<Name, number> & {
    isAboveZero?: boolean;
    isOptional?: IsOptional;
    blank?: string;
    ruleOf?: typeof amount;
  },
) {
  const { isAboveZero, isOptional = false, ruleOf = isOptional ? missingAsZero : amount } = options;
  const examples = options.example ? [Number(options.example)] : DOLLARS.examples;
  const isLeftOut = (cents: number) => isOptional && cents === 0;
  const ruleFor = (reading: AmountReading) =>
    isAboveZero
      ? ruleOf(reading, ABOVE_ZERO_RULE)
          .refine((cents) => cents > 0, ABOVE_ZERO_RULE)
          .meta({ override: { ...DOLLARS, minimum: undefined, exclusiveMinimum: 0, examples } })
      : ruleOf(reading).meta({ override: { ...DOLLARS, examples } });
  const answer = z.number().meta({ description: CURRENCY, examples });
  return {
    ...described<Name, number>(options),
    control: { kind: "money" as const },
    rule: ruleFor("plain"),
    typedRule: ruleFor("typed"),
    answer: (isOptional ? answer.optional() : answer) as IsOptional extends true
      ? z.ZodOptional<typeof answer>
      : typeof answer,
    blank: options.blank ?? (isOptional ? "" : "0"),
    toApi: (cents: number) => (isLeftOut(cents) ? undefined : cents / 100),
    toForm: (cents: number) => (isLeftOut(cents) ? "" : decimalDollars(cents)),
    toText: dollars,
    toCell: (cents: number) => decimalDollars(cents),
  };
}

/** Creates a field of a whole number. @param min also of a new form */
export function numberField<const Name extends string | undefined = undefined>(
  options: FieldInit<Name, number> & { min: number; max: number },
) {
  return {
    ...described<Name, number>(options),
    control: { kind: "number" as const },
    rule: wholeNumber(options.min, options.max),
    answer: z.int(),
    blank: String(options.min),
    toApi: (number: number) => number,
    toForm: (number: number) => String(number),
    toText: grouped,
    toCell: (number: number) => number,
  };
}

/**
 * Creates a field of a local day, `YYYY-MM-DD`. The API answers the time itself, which the record's view adds.
 *
 * @param rule of what forms and the API accept
 */
export function dayField<const Name extends string | undefined, Rule extends z.ZodType>(
  options: FieldInit<Name, string> & { rule: Rule },
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

/** Creates a field that is yes or no. @param caption beside the tick; the label by default */
export function flagField<const Name extends string | undefined = undefined>(
  options: FieldInit<Name, boolean> & { caption?: string },
) {
  const { caption = options.label } = options;
  return {
    ...described<Name, boolean>(options),
    control: { kind: "flag" as const, caption },
    // Null, as a form without the tick sends it, means no.
    rule: z.preprocess((value) => value ?? false, flag),
    answer: z.boolean().meta({ description: caption }),
    blank: null,
    toApi: (isSet: boolean) => isSet,
    toForm: (isSet: boolean) => (isSet ? "on" : null),
    toText: (isSet: boolean) => (isSet ? "yes" : "no"),
    toCell: (isSet: boolean) => (isSet ? "yes" : "no"),
  };
}

/** Maximum number of entries of a list; Shopify allows as many images. */
export const MAX_LIST_LENGTH = 250;

/** Drops the blank entries of a list; a missing one is empty. */
const withoutBlanks = (value: unknown) =>
  Array.isArray(value) ? value.filter((entry) => entry === null || isPresent(entry)) : (value ?? []);

/**
 * Creates a field of a list of distinct entries. Its length is checked before its entries (a body can
 * hold 100,000), and again without the repeated ones.
 *
 * @param entry rule of an entry
 * @param items what the entries are, in the plural
 * @param keyOf entries with equal keys are one entry
 */
export function listField<const Name extends string | undefined = undefined>(
  options: FieldInit<Name, string[]> & {
    entry: z.ZodType<string>;
    items: string;
    keyOf?: (entry: string) => string;
    toText?: (list: string[]) => string;
    toCell?: (list: string[]) => string;
  },
) {
  const { entry, items, keyOf = (text) => text } = options;
  const tooMany = `At most ${MAX_LIST_LENGTH} ${items}`;
  const examples = splitList(options.example ?? "");
  return {
    ...described<Name, string[]>(options),
    control: { kind: "custom" as const },
    rule: z
      .preprocess(
        withoutBlanks,
        z
          .array(z.unknown())
          .max(2 * MAX_LIST_LENGTH, tooMany)
          .pipe(z.array(entry))
          .transform((list) => {
            const keys = list.map(keyOf);
            return list.filter((_, i) => keys.indexOf(keys[i] ?? "") === i);
          })
          .refine((list) => list.length <= MAX_LIST_LENGTH, tooMany),
      )
      .meta({ override: { items: { type: "string", examples } } }),
    answer: z.array(z.string().meta({ examples })),
    blank: [],
    toApi: (list: string[]) => list,
    toForm: (list: string[]) => list,
    toText: options.toText ?? ((list: string[]) => list.join(", ")),
    toCell: options.toCell ?? joinList,
  };
}

/** Creates a field of formatted text, which the server sanitises. @param rule of the HTML that is sent */
export function richTextField<const Name extends string | undefined = undefined>(
  options: FieldInit<Name, string> & Audited & { rule: z.ZodType<string> },
) {
  return {
    ...described<Name, string>(options),
    control: { kind: "custom" as const },
    rule: options.rule.meta({ override: exampleOf(options) }),
    answer: z.string().meta({ description: "HTML", ...exampleOf(options) }),
    blank: "",
    ...TEXT,
  };
}

/** Creates a field whose form no other constructor knows; the API leaves an empty object out. */
export function customField<Stored extends object, const Name extends string | undefined = undefined>(
  options: FieldInit<Name, Stored> & Record<"rule" | "answer", z.ZodType<Stored>> & { missing: Stored },
) {
  const known = (value: Stored) => (Object.keys(value).length === 0 ? undefined : value);
  return {
    ...described<Name, Stored>(options),
    control: { kind: "custom" as const },
    rule: options.rule,
    answer: options.answer.optional(),
    blank: options.missing,
    toApi: known,
    toForm: (value: Stored) => value,
    toText: (value: Stored) => JSON.stringify(value),
    toCell: (value: Stored) => JSON.stringify(value),
  };
}
