import { z } from "zod";
import { Problem } from "~/http/answers";
import type { ApiRoutes } from "~/http/api-route.server";
import type { ApiCall, Method, Operation } from "~/http/operation.server";
import { type JsonSchema, JsonSchemas } from "./json-schemas";
import { ERRORS, EVENTS, KEYS, TIMESTAMP, WEBHOOKS } from "./reference";

/** OpenAPI 3.1 document of the API, from the operations of its routes and the schemas of their input and answers. */

interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  schema: JsonSchema;
}

const ACCESS = {
  anyone: "Anyone.",
  customer: "Signed-in users.",
  staff: "Admins and managers.",
  admin: "Admins.",
} as const;

/** Request or answer with one type of content. */
interface Body {
  description?: string;
  required?: boolean;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content: Record<string, { schema: JsonSchema; example?: unknown }>;
}

/** Lists the operations of all routes by path, such as `chat/{id}`, and method. */
function apiOperations(routes: ApiRoutes) {
  return Object.entries(routes).flatMap(([pattern, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      path: pattern.replaceAll(/:(\w+)/g, "{$1}"),
      method: method as Method,
      operation,
    })),
  );
}

/** Builds the document. @param name of the shop */
export function openApiDocument(routes: ApiRoutes, name: string) {
  const schemas = new JsonSchemas();
  const paths: Record<string, Record<string, ReturnType<typeof describeCall>>> = {};
  for (const { path, method, operation } of apiOperations(routes)) {
    if (!operation.call) continue;
    const call = describeCall(schemas, path, method, operation, operation.call);
    paths[`/${path}`] = { ...paths[`/${path}`], [method.toLowerCase()]: call };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${name} API`,
      version: "1.0.0",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api" }],
    security: [],
    tags: [
      ...[...new Set(Object.keys(paths).map(tagOf))].map((tag) => ({ name: tag, description: `/${tag}` })),
      { name: "webhooks", description: "Events that the shop sends" },
    ],
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      securitySchemes: {
        session: { type: "http", scheme: "bearer", description: "Token that POST /auth/login answers" },
        apiKey: { type: "http", scheme: "bearer", bearerFormat: "emp_…", description: KEYS },
      },
      schemas: schemas.components,
    },
  };
}

const DESCRIPTION =
  "Money is in dollars with at most two decimals, times are objects of seconds since 1970 (UTC) and nanoseconds. Lists are bare arrays with their full length in X-Total-Count. Unknown fields are ignored; a card with one is refused.";

const tagOf = (path: string) => path.split("/").find(Boolean) ?? "";

function describeCall(
  schemas: JsonSchemas,
  path: string,
  method: Method,
  operation: Operation<unknown>,
  described: ApiCall,
) {
  const input = schemas.convert(described.body ?? operation.input, "input");
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const body = method === "GET" ? undefined : requestBody(schemas, operation, input, names);
  return {
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    summary: described.summary,
    description: ACCESS[operation.access],
    ...(operation.access !== "anyone" && {
      security: [{ session: [] }, ...(operation.forbidsKeys ? [] : [{ apiKey: [] }])],
    }),
    parameters: parametersOf(input, names, method === "GET"),
    ...(body && { requestBody: body }),
    responses: responsesOf(schemas, operation, described, names.length > 0, method !== "GET"),
  };
}

function responsesOf(
  schemas: JsonSchemas,
  operation: Operation<unknown>,
  described: ApiCall,
  hasPath: boolean,
  mayHaveBody: boolean,
): Record<string, Body> {
  const errors = errorsOf(operation, described, hasPath, mayHaveBody);
  return {
    [operation.status]: success(schemas, described),
    ...Object.fromEntries(errors.map((status) => [status, problem(schemas, status)])),
  };
}

/** Describes the events that webhooks receive. */
function describeWebhooks(schemas: JsonSchemas) {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([event, { summary, data }]) => {
      const schema: JsonSchema = schemas.convert(
        z.object({ type: z.literal(event), timestamp: TIMESTAMP, data }),
        "output",
      );
      const post = {
        operationId: operationId("receive", event),
        tags: ["webhooks"],
        summary,
        description: WEBHOOKS,
        security: [],
        requestBody: {
          required: true,
          content: { "application/json": { schema, example: schemas.example(schema) } },
        },
        responses: {
          "2XX": { description: "Accepted" },
          "4XX": { description: "Refused, sent again later" },
        },
      };
      return [event, { post }];
    }),
  );
}

/** Names an operation for generated clients: `patchHoldId`. */
function operationId(method: string, path: string): string {
  const words = path.split(/\W+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function parametersOf(input: JsonSchema, names: string[], hasQuery: boolean): Parameter[] {
  const properties = input.properties ?? {};
  const inPath = names.map((name) => ({
    name,
    in: "path" as const,
    required: true,
    schema: properties[name] ?? { type: "string" },
  }));
  if (!hasQuery) return inPath;
  const inQuery = Object.entries(properties)
    .filter(([name]) => !names.includes(name))
    .map(([name, schema]) => ({
      name,
      in: "query" as const,
      required: input.required?.includes(name) ?? false,
      schema,
    }));
  return [...inPath, ...inQuery];
}

function requestBody(
  schemas: JsonSchemas,
  { accepts, fields }: Operation<unknown>,
  input: JsonSchema,
  names: string[],
): Body | undefined {
  const json = without(input, [...names, ...(accepts ? ["files", "form"] : [])]);
  const files = Object.fromEntries(fields.map((field) => [field, FORM_FIELD]));
  const form: JsonSchema = {
    type: "object",
    properties: { ...files, ...json.properties },
    required: json.required,
  };
  const schema = accepts === "multipart" ? form : json;
  if (Object.keys(schema.properties ?? {}).length === 0) return undefined;
  const content: Body["content"] = {};
  if (accepts) content["multipart/form-data"] = { schema: form };
  if (accepts !== "multipart") content["application/json"] = { schema: json, example: schemas.example(json) };
  return { required: true, content };
}

/** File or text, once or more. */
const FORM_FIELD: JsonSchema = { type: "array", items: { type: "string", format: "binary" } };

function without(schema: JsonSchema, names: string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  const required = schema.required?.filter((name) => !names.includes(name));
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(required?.length ? { required } : { required: undefined }),
  };
}

function success(schemas: JsonSchemas, { summary, answer, isList }: ApiCall): Body {
  const description = `${summary}: success`;
  if (answer === "file")
    return { description, content: { "*/*": { schema: { type: "string", format: "binary" } } } };
  const schema = schemas.convert(answer, "output");
  const headers = { "X-Total-Count": { description: "Rows of the whole list", schema: { type: "integer" } } };
  return {
    description,
    ...(isList && { headers }),
    content: { "application/json": { schema, example: schemas.example(schema) } },
  };
}

function errorsOf(
  { access }: Operation<unknown>,
  { errors = [] }: ApiCall,
  hasPath: boolean,
  mayHaveBody: boolean,
): number[] {
  const implied = [
    ...[400, 401, 429], // 401 and 429 also for an API key where anyone may call
    ...(access === "anyone" ? [] : [403]),
    ...(hasPath ? [404] : []),
    ...(mayHaveBody ? [403, 413, 415] : []),
    500,
    503,
  ];
  return [...new Set([...implied, ...errors])].sort();
}

function problem(schemas: JsonSchemas, status: number): Body {
  return {
    description: ERRORS[status] ?? "Error",
    content: { "application/json": { schema: schemas.convert(Problem, "output") } },
  };
}
