/** Part of JSON Schema that the API's schemas use. */
export interface JsonSchema {
  id?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[] | undefined;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** Tests for the id of another object, which an example can only invent. */
const isReference = (name: string) => name.endsWith("Id");

/**
 * Builds an example of a schema from the examples, choices and types of its parts.
 *
 * @param components by name, to which `$ref` leads
 */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  const part = (one: JsonSchema) => exampleOf(one, components);
  const component = components[schema.$ref?.split("/").at(-1) ?? ""];
  if (component) return part(component);
  if (schema.examples?.length) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const alternative = (schema.anyOf ?? schema.oneOf)?.[0];
  if (alternative) return part(alternative);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(part));
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name]) => schema.required?.includes(name) || !isReference(name))
        .map(([name, one]) => [name, part(one)]),
    );
  if (schema.type === "array") return schema.items ? [part(schema.items)] : [];
  return { string: "text", boolean: true, integer: 1, number: 1, null: null }[schema.type ?? ""] ?? "text";
}
