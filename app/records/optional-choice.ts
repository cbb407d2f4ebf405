import { z } from "zod";
import { described, type FieldInit } from "./fields";

/**
 * Creates a field of one of several values or none, which is stored as an empty text and left out of the API's answers.
 *
 * @param none words for no value
 */
export function optionalChoiceField<
  const Value extends string,
  const Name extends string | undefined = undefined,
>(
  values: readonly [Value, ...Value[]],
  options: FieldInit<Name, Value | ""> & { nameOf: (value: Value) => string; none: string },
) {
  const { nameOf, none } = options;
  const all: [Value | "", ...Value[]] = ["", ...values];
  const known: z.ZodType<Value | ""> = z.enum(all, { error: `Must be one of ${values.join(", ")}` });
  return {
    ...described<Name, Value | "">(options),
    control: { kind: "select" as const, values: all },
    rule: z.preprocess((value) => value ?? "", known),
    answer: z.enum(values).optional(),
    blank: "",
    toApi: (value: Value | "") => value || undefined,
    toForm: (value: Value | "") => value,
    toText: (value: Value | "") => (value === "" ? none : nameOf(value)),
    toCell: (value: Value | "") => (value === "" ? "" : nameOf(value)),
  };
}
