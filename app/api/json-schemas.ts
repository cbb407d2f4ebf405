import { z } from "zod";
import { CATEGORIES } from "~/domain/categories";
import { MAX_CENTS } from "~/domain/money";

/** JSON Schemas of one OpenAPI document. */
export class JsonSchemas {
  /** Schemas with an id, to which the others refer. */
  readonly components: Record<string, JsonSchema> = {};

  /** Converts a schema to JSON Schema; a field that may be missing is not required. */
  convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override({ zodSchema, jsonSchema: target }) {
        if (io === "output" || !(zodSchema instanceof z.ZodObject)) return;
        const { category } = target.properties ?? {};
        // Any spelling is accepted, by a function; the category of a response in a chat is free text.
        if (typeof category === "object" && !z.safeParse(zodSchema.shape.category, "none of them").success)
          Object.assign(category, { type: "string", enum: CATEGORIES });
        if (!target.required) return;
        target.required = target.required.filter((name) => !isOptional(zodSchema.shape[name]));
      },
    });
    const moved = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs = {}, ...own } = JSON.parse(moved) as JsonSchema & { $schema?: string };
    for (const [name, { id: _id, ...component }] of Object.entries($defs))
      this.components[name] = complete(component);
    return complete(own);
  }

  /** Builds an example of a converted schema. */
  example(schema: JsonSchema): unknown {
    return exampleOf(schema, this.components);
  }
}

/** Describes the fields of a schema that its conversion left open. */
function complete(schema: JsonSchema): JsonSchema {
  const { properties = {} } = schema;
  for (const [name, field] of Object.entries(properties))
    fillIn(name === "name" && "price" in properties ? "productName" : name, field);
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  for (const part of parts) if (part) complete(part);
  return schema;
}

/** Describes a field whose rule is a function, by its name. */
function fillIn(name: string, field: JsonSchema): void {
  const { items } = field;
  if (items && Object.keys(items).length === 0) items.type = "string";
  const { exclusiveMinimum, ...described } = field;
  if (isAmount(field))
    Object.assign(field, DOLLARS, typeof EXAMPLES[name] === "number" && { examples: [EXAMPLES[name]] });
  if (Object.keys(described).length === 0) Object.assign(field, structuredClone(FUNCTION_FIELDS[name]));
  if (exclusiveMinimum !== undefined) delete field.minimum;
  const { items: entries } = field;
  if (entries?.type === "string" && EXAMPLES[name]) entries.examples ??= [EXAMPLES[name]];
  complete(field);
  const parts = field.allOf?.filter((part) => Object.keys(part).length > 0);
  if (parts) {
    delete field.allOf;
    Object.assign(field, ...parts);
  }
  const example = EXAMPLES[name];
  if (example && field.type === (typeof example === "object" ? "object" : "string") && !field.enum)
    field.examples ??= [example];
}

/** Detects the fields of `dollarsToCents`, the only ones that take a number or text. */
function isAmount({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.length === 2 && type.includes("number") && type.includes("string");
}

/** Examples by the name of the field, which the API accepts. */
const EXAMPLES: Record<string, string | number | object> = {
  id: "till-2-0042",
  name: "Ines Duarte",
  productName: "Oak tray",
  customerName: "Ines Duarte",
  phoneNumber: "+1 647 555 0123",
  description: "Oak tray, engraved",
  colors: "Oak",
  imageUrls: "https://images.example.com/oak-tray.webp",
  taxAmount: 2.82,
  password: "Sturdy-Vase-4!",
  confirmPassword: "Sturdy-Vase-4!",
  currentPassword: "Sturdy-Vase-4!",
  newPassword: "Sturdy-Vase-4!",
  email: "ines@mail.example",
  fullName: "Ines Duarte",
  firstName: "Ines",
  lastName: "Duarte",
  readyBy: "2026-12-01",
  optionLabel: "Material",
  plates: {
    "https://images.example.com/oak-tray.webp": {
      ...{ x: 0.3, y: 0.45, width: 0.4, height: 0.1, angle: 0 },
      ...{ tone: "burnt", lines: [14, 14] },
    },
  },
};

const DOLLARS: JsonSchema = { type: "number", minimum: 0, maximum: MAX_CENTS / 100, examples: [24.5] };
const SECONDS_OBJECTS: JsonSchema[] = ["seconds", "_seconds"].map((name) => ({
  type: "object",
  properties: { [name]: { type: "integer" } },
  required: [name],
}));
const ISO = "ISO 8601; without a zone, the shop's time";
const NUMBER: JsonSchema = { type: "integer", description: "Seconds; milliseconds from 100,000,000,000 on" };
/** Date of an entry or a sale, as app/domain/days.ts reads it. */
const DATE: JsonSchema = {
  anyOf: [
    { type: "string", examples: ["2026-11-22T15:00:00Z"], description: `${ISO}; or a day YYYY-MM-DD` },
    ...SECONDS_OBJECTS,
    NUMBER,
  ],
};
/** Time in the future: as a date, but no bare day. */
const TIME: JsonSchema = {
  anyOf: [
    { type: "string", examples: ["2026-11-22T15:00:00Z"], description: ISO },
    ...SECONDS_OBJECTS,
    NUMBER,
  ],
};
const WORDS: JsonSchema = { type: "string" };
const FUNCTION_FIELDS: Record<string, JsonSchema> = {
  amount: DOLLARS,
  price: DOLLARS,
  createdAt: DATE,
  until: TIME,
  validUntil: TIME,
  name: WORDS,
  productName: WORDS,
  description: WORDS,
  category: WORDS,
};

const isOptional = (field: z.core.$ZodType) => z.safeParse(field, undefined).success;

/** Part of JSON Schema that the API's schemas use. */
export interface JsonSchema {
  id?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
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
  exclusiveMinimum?: number;
  maximum?: number;
}

/** Tests for the id of another object, which an example can only invent. */
const isReference = (name: string) => name.endsWith("Id");

/**
 * Builds an example of a schema from the examples, choices and types of its parts.
 *
 * @param components by name, to which `$ref` leads
 */
function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
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
  const [type = ""] = [schema.type ?? []].flat();
  return { string: "text", boolean: true, integer: 1, number: 1, null: null }[type] ?? "text";
}
