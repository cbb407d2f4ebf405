import { z } from "zod";

/** Field names of schemas that read a FormData, whose shape does not list them. */
const entryNames = z.registry<{ names: readonly string[] }>();

type Entries<One extends string, All extends string, List extends string> = Record<
  One,
  FormDataEntryValue | null
> &
  Record<All, FormDataEntryValue[]> &
  Record<List, Line[]>;

/** Fields of one line of a list, each with its entries in order. */
export type Line = Record<string, string[]>;

/** Names of the fields of a list's lines, and the most lines that are read. */
interface ListFields {
  fields: readonly string[];
  max: number;
}

/**
 * Creates the schema of a multipart form, `{ form: FormData }`, which parses to an object.
 *
 * @param names field names: `one` yields the first entry or null, `all` every entry, `lists` the lines of `units[0].price`
 */
export function formEntries<One extends string, All extends string, List extends string = never>(names: {
  one: readonly One[];
  all: readonly All[];
  lists?: Record<List, ListFields>;
}) {
  const { one, all, lists = {} as Record<List, ListFields> } = names;
  const lines = Object.entries<ListFields>(lists);
  return z
    .object({ form: z.instanceof(FormData) })
    .transform(({ form }) => {
      const single = one.map((name) => [name, form.get(name)]);
      return Object.fromEntries([
        ...single,
        ...all.map((name) => [name, form.getAll(name)]),
        ...lines.map(([name, { max }]) => [name, linesOf(form, name, max)]),
      ]) as Entries<One, All, List>;
    })
    .register(entryNames, {
      names: [...one, ...all, ...lines.flatMap(([name, { fields, max }]) => lineFields(name, fields, max))],
    });
}

/** Reads the lines of a list, in the order of their numbers. */
function linesOf(form: FormData, list: string, max: number): Line[] {
  const lines: Line[] = [];
  for (const [name, entry] of form) {
    const [, line, field] = /^\w+\[(\d{1,3})\]\.(\w+)$/.exec(name) ?? [];
    if (!name.startsWith(`${list}[`) || field === undefined || Number(line) >= max) continue;
    lines[Number(line)] ??= {};
    const fields = lines[Number(line)] as Line;
    fields[field] = [...(fields[field] ?? []), String(entry)];
  }
  return lines.filter(Boolean);
}

/** Creates a schema that only names the fields of a form, for an operation whose input nests them. */
export const namedFields = (names: readonly string[]) => z.unknown().register(entryNames, { names });

/**
 * Names the fields of a form's lines: `lines[0].quantity`, `lines[0].price`, …
 *
 * @param max lines
 */
export const lineFields = (list: string, fields: readonly string[], max: number): string[] =>
  Array.from({ length: max }, (_, i) => fields.map((field) => `${list}[${i}].${field}`)).flat();

/** Lists the objects and forms whose fields a schema reads: one, and several of an intersection. */
function fieldSources(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (entryNames.has(schema as z.ZodType)) return [schema];
  if (schema instanceof z.ZodPipe)
    return fieldSources(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  if (schema instanceof z.ZodIntersection)
    return [schema.def.left, schema.def.right].flatMap((part) => fieldSources(part));
  return [schema];
}

/**
 * Lists the field names of a schema. They are flat: `a[1]` and `a.b` are no field names.
 *
 * @param schema an object, formEntries, or either of them piped or intersected
 */
export const fieldNames = (schema: z.core.$ZodType): readonly string[] =>
  fieldSources(schema).flatMap(
    (source) => entryNames.get(source as z.ZodType)?.names ?? Object.keys(fieldRules(source)),
  );

/** Returns the rules of a schema's fields; those of formEntries have none. */
export function fieldRules(schema: z.core.$ZodType): Record<string, z.ZodType> {
  const shapes = fieldSources(schema).map((source) => (source instanceof z.ZodObject ? source.shape : {}));
  // The second side of an intersection only compares fields of the first.
  return Object.assign({}, ...shapes.reverse());
}
