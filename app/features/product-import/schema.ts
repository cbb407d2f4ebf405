import { z } from "zod";
import { CATEGORIES } from "~/domain/categories";
import { MAX_STOCK } from "~/domain/stock-levels";
import { FIELDS } from "~/features/catalogue/product";
import { formEntries } from "~/http/form-fields";
import { categoryKey, type MappingChoices, NO_CHOICES } from "./layouts/recognise";
import { VARIANT_PRICES } from "./price-column";
import { ENCODINGS, JOINED_FIELD, MAX_COLUMNS, NO_READING, type ReadingChoices } from "./sheet";

const MAX_CATEGORIES = 1000;
const MAX_CATEGORY_LENGTH = 500;
const MAX_HEADER_LENGTH = 500;
const MAX_ROW = 2_000_000;
const MULTIPLE_FILES = Symbol("multiple files");

const column = z.enum(FIELDS, { error: `Must be null or one of ${FIELDS.join(", ")}` }).nullable();
const categoryField = z.enum(CATEGORIES, { error: "There is no such category" });

const blankAsNull = (value: unknown) => (value === undefined || value === "" ? null : value);

function isUnique(columns: (string | null)[]): boolean {
  const fields = columns.filter((field) => field !== null && field !== JOINED_FIELD);
  return new Set(fields).size === fields.length;
}

function wholeFrom(min: number) {
  const message = `Must be a whole number from ${min} to ${MAX_ROW.toLocaleString("en")}`;
  return z.coerce.number({ error: message }).int(message).min(min, message).max(MAX_ROW, message);
}

/** Reading of the file: fields of the form, and `reading` of the choices. Blank leaves it to the reader. */
const readingFields = {
  sheet: z.preprocess(blankAsNull, wholeFrom(0).nullable()).default(null),
  header: z.preprocess(blankAsNull, wholeFrom(1).nullable()).default(null),
  encoding: z
    .preprocess(blankAsNull, z.enum(ENCODINGS, { error: "There is no such encoding" }).nullable())
    .default(null),
};
const readingField = z.strictObject(readingFields, {
  error: "Must be an object of sheet, header and encoding alone",
});

const variantPriceField = z
  .preprocess(blankAsNull, z.enum(VARIANT_PRICES, { error: "Must be lowest, highest or first" }).nullable())
  .default(null);

const STOCK_MESSAGE = `Must be a whole number from 0 to ${MAX_STOCK.toLocaleString("en")}, or empty`;
const untrackedField = z
  .preprocess(
    blankAsNull,
    z.coerce
      .number({ error: STOCK_MESSAGE })
      .int(STOCK_MESSAGE)
      .min(0, STOCK_MESSAGE)
      .max(MAX_STOCK, STOCK_MESSAGE)
      .nullable(),
  )
  .default(null);

const choicesField = z.object(
  {
    columns: z
      .array(column, { error: "Must be a list" })
      .max(MAX_COLUMNS, `At most ${MAX_COLUMNS} columns`)
      .refine(isUnique, `A field other than ${JOINED_FIELD} may be given to one column only`)
      .nullable()
      .default(null),
    categories: z
      .record(z.string().max(MAX_CATEGORY_LENGTH), categoryField, {
        error: "Must map each name to a category",
      })
      .refine((each) => Object.keys(each).length <= MAX_CATEGORIES, `At most ${MAX_CATEGORIES} categories`)
      .transform((each) =>
        Object.fromEntries(Object.entries(each).map(([name, category]) => [categoryKey(name), category])),
      )
      .default({}),
    reading: readingField.default(NO_READING),
    variantPrice: variantPriceField,
    untracked: untrackedField,
  },
  { error: "Must be an object" },
);

const choicesJson = z
  .string({ error: "Must be text" })
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: "custom", message: "Must be JSON" });
      return z.NEVER;
    }
  })
  .pipe(choicesField)
  .nullable();

/** Headers of the columns by field, which the form without JavaScript sends: `column-name`, `column-price`, … */
const headerNames = z.partialRecord(z.enum(FIELDS), z.string());
const headerName = z
  .string({ error: "Must be the header of a column" })
  .trim()
  .max(MAX_HEADER_LENGTH, `Must be at most ${MAX_HEADER_LENGTH} characters`);

const READING = ["sheet", "header", "encoding"] as const;
const columnField = (field: (typeof FIELDS)[number]) => `column-${field}` as const;

/** Reads the headers that a form names; a problem stands at the field of the form. */
function columnNames(entries: Record<string, unknown>, { addIssue }: z.core.$RefinementCtx) {
  const named = FIELDS.flatMap((field) => {
    const read = headerName.safeParse(entries[columnField(field)] ?? "");
    if (read.success) return read.data === "" ? [] : [[field, read.data] as const];
    const message = read.error.issues[0]?.message ?? "";
    addIssue({ code: "custom", path: [columnField(field)], message });
    return [];
  });
  return Object.fromEntries(named);
}

interface PlannedRun {
  run: string;
}

const isPlannedRun = (file: unknown): file is PlannedRun =>
  typeof file === "object" && file !== null && "run" in file;

/** File to import, or the planned run it was stored for; named `file`, so that errors refer to that field. */
const fileField = z
  .unknown()
  .refine((file) => file !== MULTIPLE_FILES, { error: "Send one file at a time", abort: true })
  .refine((file) => isPlannedRun(file) || (file instanceof File && (file.size > 0 || file.name !== "")), {
    error: "Please select a file to upload",
  })
  .transform((file) => file as File | PlannedRun);

/** Multipart form of the product import: `file`, or the `run` of an earlier plan; `choices`, or `sheet`, `header`, `encoding` and
 * `column-…`, where staff made any. */
export const ImportRequestInput = formEntries({
  one: ["run", "choices", "variantPrice", "untracked", ...READING, ...FIELDS.map(columnField)],
  all: ["file"],
})
  .transform(
    (
      {
        file: [file = null, ...others],
        run,
        choices,
        sheet,
        header,
        encoding,
        variantPrice,
        untracked,
        ...columns
      },
      context,
    ): Record<string, unknown> => ({
      file: typeof run === "string" ? { run } : others.length > 0 ? MULTIPLE_FILES : file,
      choices,
      names: columnNames(columns, context),
      ...{ sheet, header, encoding, variantPrice, untracked },
    }),
  )
  .pipe(
    z.object({
      file: fileField,
      choices: choicesJson,
      names: headerNames,
      variantPrice: variantPriceField,
      untracked: untrackedField,
      ...readingFields,
    }),
  )
  .transform(({ file, choices, names, variantPrice, untracked, ...reading }) => ({
    source: file,
    choices: withAnswers(requestedChoices(choices, names, reading), { variantPrice, untracked }),
  }));
/** Fields of the form by which a caller of the API answers questions, as its description has them. */
export const ImportForm = z.object({
  encoding: z.enum(ENCODINGS).optional().meta({
    description:
      "Encoding of a text file. Without it a file that is no Unicode is a 400 where several read it equally well, with their texts; Windows-1252 is expected.",
  }),
  sheet: z.int().min(0).optional().meta({ description: "Index of the sheet among the visible ones" }),
  header: z.int().min(1).optional().meta({ description: "Row of the headers" }),
  "column-price": z.string().optional().meta({
    description:
      "Header of the price column, “-” for none; a file whose price is uncertain is a 400 without it",
  }),
  variantPrice: z.enum(VARIANT_PRICES).optional().meta({
    description:
      "Price of a product whose rows have several and no options that tell them apart; without it those rows are rejected, but an export of Shopify or WooCommerce gets the first price, with a note",
  }),
  untracked: z.int().min(0).max(MAX_STOCK).optional().meta({
    description:
      "Stock of what the other system does not count; without it such stock stays, and is 0 on new products",
  }),
});
export type ImportRequest = z.infer<typeof ImportRequestInput>;

/** Joins the choices of a script with the fields of a form; null for none. */
function requestedChoices(
  choices: z.infer<typeof choicesField> | null,
  names: z.infer<typeof headerNames>,
  fields: ReadingChoices,
): MappingChoices | null {
  const isRead = Object.values(fields).some((value) => value !== null);
  if (choices === null && Object.keys(names).length === 0 && !isRead) return null;
  const before = choices?.reading ?? NO_READING;
  if (!isRead) return { ...NO_CHOICES, ...choices, names };
  // Another sheet has headers of its own, and other headers have columns of their own.
  const sheet = fields.sheet ?? before.sheet;
  const isSameSheet = choices === null || sheet === before.sheet;
  const reading = {
    sheet,
    header: isSameSheet ? (fields.header ?? before.header) : null,
    encoding: fields.encoding ?? before.encoding,
  };
  const isSame = choices !== null && isEqualReading(reading, before);
  return { ...NO_CHOICES, ...choices, ...(!isSame && { columns: null }), names, reading };
}

/** Adds the answers of the form's questions. */
function withAnswers(
  choices: MappingChoices | null,
  answers: Pick<MappingChoices, "variantPrice" | "untracked">,
): MappingChoices | null {
  const given = Object.entries(answers).filter(([, answer]) => answer !== null);
  return given.length === 0 ? choices : { ...NO_CHOICES, ...choices, ...Object.fromEntries(given) };
}

const isEqualReading = (a: ReadingChoices, b: ReadingChoices) =>
  a.sheet === b.sheet && a.header === b.header && a.encoding === b.encoding;
