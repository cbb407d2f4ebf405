import { z } from "zod";
import { operation, type ResultOf } from "~/http/operation.server";
import { openApiDocument } from "./openapi.server";
import { KEYS, WEBHOOKS } from "./reference";
import { API_ROUTES } from "./routes.server";

let built: ReturnType<typeof openApiDocument> | undefined;

/** Builds the document once: it is the same for every request. */
function documentOf(name: string) {
  built ??= openApiDocument(API_ROUTES, name);
  return built;
}

/** GET openapi.json: the API as an OpenAPI 3.1 document. */
export const readOpenApi = operation({
  access: "anyone",
  input: z.object({}),
  cacheable: true,
  run: async ({ settings }) => documentOf(settings.name),
});

/** Formats the example of a body; null without one. */
function exampleText(body: { content: Record<string, { example?: unknown }> } | undefined): string | null {
  const example = Object.values(body?.content ?? {})[0]?.example;
  return example === undefined ? null : JSON.stringify(example, null, 2);
}

/** Reads the routes of the API for its page, by their first segment. */
export const readApiPage = operation({
  access: "anyone",
  input: z.object({}),
  async run({ settings }) {
    const { paths, webhooks } = documentOf(settings.name);
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { tags, summary, description, requestBody, responses }]) => ({
        tag: tags[0] ?? "",
        call: `${method.toUpperCase()} ${path}`,
        summary,
        access: description,
        sends: exampleText(requestBody),
        answers: exampleText(Object.values(responses)[0]),
        errors: Object.keys(responses).filter((status) => Number(status) >= 400),
      })),
    );
    const groups = Map.groupBy(calls, ({ tag }) => tag);
    const events = Object.entries(webhooks).map(([event, { post }]) => ({
      event,
      summary: post.summary,
      example: exampleText(post.requestBody) ?? "",
    }));
    return {
      url: `${settings.url}/api`,
      keys: KEYS,
      webhooks: WEBHOOKS,
      events,
      groups: [...groups].map(([tag, own]) => ({ tag, calls: own })),
    };
  },
});
export type ApiPage = ResultOf<typeof readApiPage>;
