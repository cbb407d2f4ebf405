import { type Schema, Validator } from "@cfworker/json-schema";
import { send } from "./worker";

type Content = Record<string, { schema: Schema }>;

interface ApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, { content: Content }> }>>;
  components: object;
}

let fetched: Promise<ApiDocument> | undefined;
const validators = new Map<string, Validator>();

/** Reads the OpenAPI document of the Worker under test, once. */
export function apiDocument(): Promise<ApiDocument> {
  fetched ??= send(new Request("http://localhost:8787/api/openapi.json")).then((answer) => answer.json());
  return fetched;
}

/**
 * Compares an answer of the API with the OpenAPI document; other answers pass.
 *
 * @param path with query
 * @throws Error for a status or body that the document does not describe
 */
export async function expectDocumented(method: string, path: string, answer: Response): Promise<void> {
  const { pathname } = new URL(path, "http://shop.invalid");
  if (!pathname.startsWith("/api/") || answer.status === 304 || answer.status === 405) return;
  const { paths, components } = await apiDocument();
  const route = routeOf(paths, pathname.slice("/api".length).replace(/\/$/, ""));
  const call = route && paths[route]?.[method === "HEAD" ? "get" : method.toLowerCase()];
  if (!call) return;
  const described = call.responses[answer.status];
  if (!described) throw new Error(`${method} /api${route} does not describe ${answer.status}`);
  const content = described.content["application/json"];
  if (!content || method === "HEAD" || !answer.headers.get("Content-Type")?.startsWith("application/json"))
    return;
  const problems = validator(`${method} ${route} ${answer.status}`, {
    ...content.schema,
    components,
  } as Schema);
  const { valid, errors } = problems.validate(await answer.clone().json());
  const last = errors.at(-1);
  if (!valid)
    throw new Error(
      `${method} /api${route} ${answer.status} differs from the answer that its operation declares at ${last?.instanceLocation}: ${words(last?.error)}`,
    );
}

/** Replaces the validator's wording for a field that the schema of an object does not name. */
const words = (error = "") => error.replace("False boolean schema.", "This field is not described.");

/** Finds the described path of an URL; one without parameters comes first. */
function routeOf(paths: ApiDocument["paths"], pathname: string): string | undefined {
  const matching = Object.keys(paths).filter((path) =>
    new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`, "i").test(pathname),
  );
  return matching.sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

function validator(key: string, schema: Schema): Validator {
  const known = validators.get(key) ?? new Validator(schema, "2020-12", true);
  validators.set(key, known);
  return known;
}
