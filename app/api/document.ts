import type { oas32 } from "zod-openapi";

type Document = oas32.OpenAPIObject;

/** Part of JSON Schema that an example needs. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  default?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Lists the operations of a document's paths or webhooks. */
export const operationsOf = (paths: Document["paths"]) =>
  Object.entries(paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, oas32.OperationObject>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );

/** Adds an example to each body and each success of a document. */
export function withExamples(document: Document): Document {
  const components = (document.components?.schemas ?? {}) as Record<string, Schema>;
  const calls = [...operationsOf(document.paths), ...operationsOf(document.webhooks)];
  for (const { operation } of calls)
    for (const body of [operation.requestBody, Object.values(operation.responses ?? {})[0]]) {
      const { content } = (body ?? {}) as { content?: Record<string, { schema: Schema; example: unknown }> };
      const json = content?.["application/json"];
      if (json) json.example = exampleOf(json.schema, components);
    }
  return document;
}

/**
 * Builds an example of a schema from the examples, choices and types of its parts.
 *
 * @param components by name, to which `$ref` leads
 * @returns undefined where `examples` is empty, which says that there is none
 */
function exampleOf(schema: Schema, components: Record<string, Schema>): unknown {
  const part = (one: Schema): unknown => exampleOf(one, components);
  const component = components[schema.$ref?.split("/").at(-1) ?? ""];
  if (component) return part(component);
  const { examples, const: only, enum: choices, anyOf, oneOf, properties, type, items } = schema;
  if (examples) return examples[0];
  const [first] = only === undefined ? (choices ?? []) : [only];
  if (first !== undefined) return first;
  if (schema.default !== undefined) return schema.default;
  const [alternative] = anyOf ?? oneOf ?? [];
  if (alternative) return part(alternative);
  if (properties) return objectOf(properties, part);
  if (type === "array") return items ? [part(items)] : [];
  const [own = ""] = [type ?? []].flat();
  return { string: "text", boolean: true, integer: 1, number: 1, null: null }[own] ?? "text";
}

const objectOf = (properties: Record<string, Schema>, part: (schema: Schema) => unknown) =>
  Object.fromEntries(
    Object.entries(properties)
      .map(([name, schema]) => [name, part(schema)])
      .filter(([, value]) => value !== undefined),
  );
