import type { z } from "zod";
import type { BusinessNames } from "~/domain/enums";
import type { FormValue, RecordField } from "./fields";

export type Fields = Record<string, RecordField>;

/**
 * Fields of a table's record: one for each column that people fill in. A record `satisfies` it, so that a new column needs a
 * field, or a place in the list.
 *
 * @template Filled columns that the shop fills in itself, or that other forms edit
 */
export type FieldsOf<T extends { $inferSelect: object }, Filled extends keyof T["$inferSelect"]> = {
  [Column in Exclude<keyof T["$inferSelect"], Filled>]: RecordField<T["$inferSelect"][Column]>;
};

/** Name of a field in forms and in the API. */
type NameOf<F extends Fields, Column extends keyof F> = F[Column]["name"] extends string
  ? F[Column]["name"]
  : Column;

/** Names of the fields in forms and in the API. */
export type NamesOf<F extends Fields> = keyof { [Column in keyof F as NameOf<F, Column>]: unknown } & string;

/** Row of the fields' columns, as stored. */
export type RowOf<F extends Fields> = {
  [Column in keyof F]: F[Column] extends { toForm(stored: infer Stored): FormValue } ? Stored : never;
};

type Rules<F extends Fields> = { [Column in keyof F as NameOf<F, Column>]: F[Column]["rule"] };

/** Rules of the fields that forms read in another way than the API. */
type TypedRules<F extends Fields> = {
  [Column in keyof F as F[Column] extends { typedRule: z.ZodType }
    ? NameOf<F, Column>
    : never]: F[Column]["rule"];
};

type Answered<F extends Fields> = {
  [Column in keyof F as F[Column]["answer"] extends z.ZodType ? NameOf<F, Column> : never]: NonNullable<
    F[Column]["answer"]
  >;
};

/** Record's fields as the API answers them. */
export type ApiOf<F extends Fields> = {
  [Name in keyof Answered<F>]: Answered<F>[Name] extends z.ZodType ? z.infer<Answered<F>[Name]> : never;
};

/** Record with what is derived from its fields. */
export type DeclaredRecord<F extends Fields = Fields> = ReturnType<typeof recordOf<F>>;

/** Field with the name of its column, and its name in forms and in the API. */
export interface RecordColumn {
  column: string;
  name: string;
  field: RecordField;
}

/**
 * Declares a record by its fields, which stand in the order of its form. Everything that forms, files, the API, edit
 * conflicts and the audit log need is derived from them (docs/architecture.md, Records).
 *
 * @param fields by the name of their column in the drizzle schema
 */
export function recordOf<const F extends Fields>(fields: F) {
  const columns = Object.entries<RecordField>(fields).map(
    ([column, field]): RecordColumn => ({ column, field, name: field.name ?? column }),
  );
  return {
    fields,
    columns,
    /** Rules of all fields in the API, by name. */
    rules: byName(columns, ({ field }) => field.rule) as Rules<F>,
    /** Rules of a new record: a field that is not sent takes its value for that, if it has one. */
    newRules: byName(columns, ({ field: { rule, missing } }) =>
      missing === undefined ? rule : rule.default(missing),
    ) as Rules<F>,
    /** Rules of forms that take the place of the others, by name. */
    typedRules: byName(columns, ({ field }) => field.typedRule) as TypedRules<F>,
    /** Schemas of the fields that the API answers, by name. */
    answers: byName(columns, ({ field }) => field.answer) as Answered<F>,
    /** Columns in the audit log: by their values, or only that they changed. */
    audited: Object.fromEntries(columns.map(({ column, field }) => [column, field.audit])) as {
      [Column in keyof F]: RecordField["audit"];
    },
    /** Columns whose changes the audit log records without values. */
    facts: new Set(columns.filter(({ field }) => field.audit === "fact").map(({ column }) => column)),
    /** Values of a form for a new record, by name. */
    blank: byName(columns, ({ field }) => field.blank) as Record<string, FormValue>,
    ...conversionsOf<F>(columns),
  };
}

/** Collects a value of each field by its name, without those that are undefined. */
const byName = (columns: RecordColumn[], read: (column: RecordColumn) => unknown) =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const value = read(column);
      return value === undefined ? [] : [[column.name, value]];
    }),
  );

/** Sorts fields: those of some columns in the order of these, then the others in that of the record. */
export function withFirst(columns: readonly RecordColumn[], first: readonly string[]): RecordColumn[] {
  const rank = ({ column }: RecordColumn) => (first.includes(column) ? first.indexOf(column) : first.length);
  return columns.toSorted((a, b) => rank(a) - rank(b));
}

/** Converts rows to what forms, the API and files show, and back. */
function conversionsOf<F extends Fields>(columns: RecordColumn[]) {
  return {
    /** Writes the values of a form, by name. */
    formValues: (row: RowOf<F>) =>
      byName(columns, ({ column, field }) => field.toForm(row[column])) as Record<string, FormValue>,
    /** Picks the fields' columns of a row or a table. */
    pick: <Row extends { [Column in keyof F]: unknown }>(row: Row) =>
      Object.fromEntries(columns.map(({ column }) => [column, row[column]])) as Pick<Row, keyof F>,
    /** Returns the values that the API answers, by name. */
    apiValues: (row: RowOf<F>) =>
      byName(columns, ({ column, field }) => field.toApi(row[column])) as ApiOf<F>,
    /** Renames the values of a form or the API to columns, and leaves out those that are undefined. */
    stored: (values: Record<string, unknown>) =>
      Object.fromEntries(
        columns.flatMap(({ column, name }) => (values[name] === undefined ? [] : [[column, values[name]]])),
      ) as Partial<RowOf<F>>,
    /**
     * Returns the columns of a file: titles in title case, and cells.
     *
     * @param first columns that stand before the others, in their order
     * @param businessNames names of the shop's settings
     */
    fileColumns: (first: (keyof F & string)[], businessNames: BusinessNames) =>
      withFirst(columns, first).map(
        ({ column, field }): [title: string, cell: (row: RowOf<F>) => string | number] => [
          inTitleCase(field.label),
          (row) => field.toCell(row[column], businessNames),
        ],
      ),
  };
}

const inTitleCase = (label: string) => label.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
