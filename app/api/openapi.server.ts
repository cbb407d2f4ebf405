import { z } from "zod";
import {
  type CreateDocumentOptions,
  createDocument,
  createSchema,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { CURRENCY_NAME } from "~/domain/currency";
import { EVENTS, eventBody, WEBHOOKS } from "~/features/integrations/events";
import { WEBHOOK_EVENTS, type WebhookEvent } from "~/features/integrations/schema";
import { ERRORS, Problem } from "~/http/answers";
import type { ApiRoutes } from "~/http/api-route.server";
import { fieldRules } from "~/http/form-fields";
import type { ApiCall, Method, Operation } from "~/http/operation.server";
import { withExamples } from "./document";
import { KEYS } from "./reference";

// The OpenAPI 3.1 document of the API, built from the operations of its routes and the schemas of their input and answers.

const DESCRIPTION = `Money is in ${CURRENCY_NAME} with at most two decimals, times are objects of seconds since 1970 (UTC) and nanoseconds. Lists are bare arrays with their full length in X-Total-Count. Unknown fields are ignored; a card with one is refused.`;

/** Descriptions of who may call an operation. */
const ACCESS = {
  anyone: "Anyone.",
  customer: "Signed-in users.",
  staff: "Admins, managers and sellers.",
  manager: "Admins and managers.",
  admin: "Admins.",
} as const;

/** Builds the document. @param shopName SHOP_NAME */
export function openApiDocument(routes: ApiRoutes, shopName: string) {
  const calls = Object.entries(routes).map(([pattern, operations]) => {
    const path = `/${pattern.replaceAll(/:(\w+)/g, "{$1}")}`;
    return [path, pathItem(path, operations)] as const;
  });
  const tags = [...new Set(calls.map(([path]) => tagOf(path)))];
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: `${shopName} API`,
        version: "1.0.0",
        description: DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/api" }],
      security: [],
      tags: [
        ...tags.map((tag) => ({ name: tag, description: `/${tag}` })),
        { name: "webhooks", description: "Events that the shop sends" },
      ],
      paths: Object.fromEntries(calls),
      webhooks: Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, { post: webhook(event) }])),
      components: {
        securitySchemes: {
          session: { type: "http", scheme: "bearer", description: "Token that POST /auth/login answers" },
          apiKey: { type: "http", scheme: "bearer", bearerFormat: "emp_…", description: KEYS },
        },
      },
    },
    { override: describeOptional },
  );
  return withExamples(document);
}

/** Tests for a field that may be missing: its rule accepts undefined, which zod cannot tell from a transform's type. */
const isOptional = (rule: z.core.$ZodType) => z.safeParse(rule, undefined).success;

/** Corrects `required` of an input's objects, where zod lists fields that may be missing. */
const describeOptional: CreateDocumentOptions["override"] = ({ io, zodSchema, jsonSchema }) => {
  if (io === "output" || !(zodSchema instanceof z.ZodObject)) return;
  const required = jsonSchema.required?.filter((name) => !isOptional(zodSchema.shape[name]));
  if (required?.length) jsonSchema.required = required;
  else delete jsonSchema.required;
};

const tagOf = (path: string) => path.split("/").find(Boolean) ?? "";

/** Describes the operations of a path, such as `/chat/{id}`, that have a route. */
function pathItem(path: string, operations: ApiRoutes[string]): ZodOpenApiPathItemObject {
  const described = Object.entries(operations).flatMap(([method, operation]) =>
    operation.call
      ? [[method.toLowerCase(), describeCall(path, method as Method, operation, operation.call)]]
      : [],
  );
  return Object.fromEntries(described) as ZodOpenApiPathItemObject;
}

function describeCall(
  path: string,
  method: Method,
  operation: Operation<unknown>,
  call: ApiCall,
): ZodOpenApiOperationObject {
  const rules = { ...fieldRules(operation.input), ...(call.body && fieldRules(call.body)) };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const query = call.query ?? [];
  const pick = (test: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(rules).filter(([name]) => test(name)));
  const inPath = pick((name) => names.includes(name));
  const isGet = method === "GET";
  const inQuery = pick((name) => !names.includes(name) && (isGet || query.includes(name)));
  const others = pick((name) => !names.includes(name) && !query.includes(name));
  const body = isGet ? undefined : requestBody(operation, others);
  return {
    operationId: operationId(method, path),
    tags: [tagOf(path)],
    summary: call.summary,
    description: ACCESS[operation.access],
    ...(operation.access !== "anyone" && {
      security: [{ session: [] }, ...(operation.forbidsKeys ? [] : [{ apiKey: [] }])],
    }),
    requestParams: {
      path: z.object(inPath),
      ...(Object.keys(inQuery).length > 0 && { query: z.object(withOptional(inQuery)) }),
    },
    ...(body && { requestBody: body }),
    responses: responses(operation, call, names.length > 0, method !== "GET"),
  };
}

/** Marks the parameters that may be missing. */
const withOptional = (rules: Record<string, z.ZodType>) =>
  Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, isOptional(rule) ? rule.optional() : rule]),
  );

/** Names an operation for generated clients: `patchHoldId`. */
function operationId(method: string, path: string): string {
  const words = path.split(/\W+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const FILE = z.string().meta({ format: "binary" });
/** Form fields with files; all others hold text. */
const FILE_FIELDS: Record<string, z.ZodType> = { file: FILE.optional(), files: z.array(FILE).optional() };
const TEXT = z.string().optional();

/** Describes the body as JSON, as a form, or both. @returns undefined without fields */
function requestBody({ accepts, fields }: Operation<unknown>, rules: Record<string, z.ZodType>) {
  const { form: _form, files: _files, ...sent } = rules;
  const json = accepts ? sent : rules;
  const form = { ...Object.fromEntries(fields.map((field) => [field, FILE_FIELDS[field] ?? TEXT])), ...json };
  if (Object.keys(accepts === "multipart" ? form : json).length === 0) return undefined;
  return {
    required: true,
    content: {
      ...(accepts && { "multipart/form-data": { schema: z.object(form) } }),
      ...(accepts !== "multipart" && { "application/json": { schema: z.object(json) } }),
    },
  };
}

function responses(
  operation: Operation<unknown>,
  call: ApiCall,
  hasPath: boolean,
  mayHaveBody: boolean,
): Record<string, ZodOpenApiResponseObject> {
  const errors = errorsOf(operation, call, hasPath, mayHaveBody).map((status) => [
    status,
    { description: ERRORS[status] ?? "Error", content: { "application/json": { schema: Problem } } },
  ]);
  return { [operation.status]: success(call), ...Object.fromEntries(errors) };
}

function success({ summary, answer, isList }: ApiCall): ZodOpenApiResponseObject {
  const description = `${summary}: success`;
  if (answer === "file")
    return { description, content: { "*/*": { schema: { type: "string", format: "binary" } } } };
  const total: oas31.HeaderObject = { description: "Rows of the whole list", schema: { type: "integer" } };
  return {
    description,
    ...(isList && { headers: { "X-Total-Count": total } }),
    content: { "application/json": { schema: answer } },
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

/** Describes an event that webhooks receive, with the body that the shop sends. */
function webhook(event: WebhookEvent): ZodOpenApiOperationObject {
  const { schema } = createSchema(eventBody(event), { io: "output" });
  return {
    operationId: operationId("receive", event),
    tags: ["webhooks"],
    summary: EVENTS[event].summary,
    description: WEBHOOKS,
    security: [],
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: {
      "2XX": { description: "Accepted" },
      "4XX": { description: "Refused, sent again later" },
    },
  };
}
