import { z } from "zod";
import { CATEGORIES } from "~/features/catalogue/categories";
import { formEntries } from "~/http/form-fields";
import { FIELDS } from "./columns";
import { type Choices, kindKey } from "./layouts/recognise";
import { MAX_COLUMNS } from "./sheet";

const MOST_KINDS = 1000;
const KIND_LENGTH = 500;

/** More than one file. */
const SEVERAL = Symbol("several");
const HEADER_LENGTH = 500;

const column = z.enum(FIELDS, { error: `Must be null or one of ${FIELDS.join(", ")}` }).nullable();
const category = z.enum(CATEGORIES, { error: "There is no such category" });

function eachOnce(columns: (string | null)[]): boolean {
  const given = columns.filter((field) => field !== null);
  return new Set(given).size === given.length;
}

/** Staff's word on a file, as JSON. */
const choices = z.object(
  {
    columns: z
      .array(column, { error: "Must be a list" })
      .max(MAX_COLUMNS, `At most ${MAX_COLUMNS} columns`)
      .refine(eachOnce, "A field may be given to one column only")
      .nullable()
      .default(null),
    categories: z
      .record(z.string().max(KIND_LENGTH), category, { error: "Must name a category for each kind" })
      .refine((each) => Object.keys(each).length <= MOST_KINDS, `At most ${MOST_KINDS} kinds`)
      .transform((each) =>
        Object.fromEntries(Object.entries(each).map(([kind, category]) => [kindKey(kind), category])),
      )
      .default({}),
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
  .pipe(choices)
  .nullable();

/** Headers of the columns that fields are read from, typed in without a script: `column-name`, `column-price`, … */
const names = z.partialRecord(z.enum(FIELDS), z.string().trim().max(HEADER_LENGTH));

const columnField = (field: (typeof FIELDS)[number]) => `column-${field}` as const;

function namesOf(entries: Record<string, unknown>): Record<string, unknown> {
  const typed = FIELDS.map((field) => [field, entries[columnField(field)] ?? ""] as const);
  return Object.fromEntries(typed.filter(([, name]) => typeof name !== "string" || name.trim() !== ""));
}

/** POST product/bulk-upload: multipart `file`, and `choices` or `column-…` where staff have made some. */
export const BulkUploadInput = formEntries({ one: ["choices", ...FIELDS.map(columnField)], all: ["file"] })
  .transform(
    ({ file: [file = null, ...others], choices, ...columns }): Record<string, unknown> => ({
      file: others.length > 0 ? SEVERAL : file,
      choices,
      names: namesOf(columns),
    }),
  )
  .pipe(
    z.object({
      file: z
        .unknown()
        .refine((file) => file !== SEVERAL, { error: "Send one file at a time", abort: true })
        .refine((file): file is File => file instanceof File && (file.size > 0 || file.name !== ""), {
          error: "Please select a file to upload",
        })
        .transform((file) => file as File),
      choices: choicesJson,
      names,
    }),
  )
  .transform(({ file, choices, names }): { file: File; choices: Choices | null } => {
    const isSilent = choices === null && Object.keys(names).length === 0;
    return { file, choices: isSilent ? null : { columns: null, categories: {}, ...choices, names } };
  });
export type BulkUpload = z.infer<typeof BulkUploadInput>;
