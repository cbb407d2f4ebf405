import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { matchRoutes } from "@remix-run/react";
import { openDb } from "~/db/client.server";
import { HOUR_SECONDS } from "~/domain/durations";
import { recordKeyUse } from "~/session/queries.server";
import { isMultipart, readForm, readJson } from "./body.server";
import { AppError, validationError } from "./errors";
import {
  asAppError,
  authorise,
  bodyLimit,
  enforce,
  hideCost,
  Listing,
  type Method,
  type Operation,
} from "./operation.server";
import { requireWritable } from "./request-context.server";
import { errorReference, logError } from "./request-log.server";
import { outgoingHeaders } from "./response-headers.server";

/** Operations of a route by method. */
export type Operations = Partial<Record<Method, Operation<unknown>>>;
type RouteArgs = LoaderFunctionArgs | ActionFunctionArgs;

/** Operations of each route of the API, by its path below /api with the pattern of its parameters: `chat/:id`. */
export type ApiRoutes = Record<string, Operations>;

/**
 * Creates the loader and action of all /api routes; an unknown path is answered with 404.
 *
 * @returns both, the loader with the patterns of the paths
 */
export function apiRoutes(routes: ApiRoutes) {
  const table = Object.entries(routes).map(([path, handle]) => ({ path: `/api/${path}`, handle }));
  // React Router ranks the whole table anew for each call. A path without parameters outranks every other one.
  const exact = new Map(table.flatMap(({ path, handle }) => (path.includes(":") ? [] : [[path, handle]])));
  const handle = async (args: RouteArgs): Promise<Response> => {
    const { pathname } = args.context.url;
    const operations = exact.get(pathname);
    if (operations) return answerCall({ ...args, params: {} }, operations);
    const [match] = matchRoutes(table, pathname) ?? [];
    if (!match) return errorResponse(new AppError("notFound", "Not found"));
    return answerCall({ ...args, params: match.params }, match.route.handle);
  };
  return { loader: Object.assign(handle, { paths: table.map(({ path }) => path) }), action: handle };
}

/** Creates the loader and action of a route outside /api that answers JSON. */
export function apiRoute(operations: Operations) {
  const handle = (args: RouteArgs): Promise<Response> => answerCall(args, operations);
  return { loader: handle, action: handle };
}

/**
 * Parses JSON or multipart, runs the method's operation, maps AppError to a status and answers 405 with Allow to every
 * other method. Path parameters win over body and query.
 */
async function answerCall(args: RouteArgs, operations: Operations): Promise<Response> {
  hideCost(args.context, Object.values(operations));
  try {
    const method = args.request.method === "HEAD" ? "GET" : args.request.method;
    const chosen = operations[method as Method];
    if (!chosen) throw methodNotAllowed(Object.keys(operations));
    requireWritable(args.context);
    await admitKey(args.context);
    await authorise(args.context, chosen.access, chosen.forbidsVisitors);
    const result = await chosen.execute(args.context, await rawInput(args, method, chosen));
    return await answer(args, chosen, result);
  } catch (error) {
    return errorResponse(error);
  }
}

/** Seconds after which the use of an API key is recorded again. */
const KEY_USE_SECONDS = HOUR_SECONDS;

/** Counts a call with an API key and records its use. @throws AppError rateLimited */
async function admitKey({ caller, env, now, waitUntil }: RouteArgs["context"]): Promise<void> {
  const key = await caller.key();
  if (key === null || key === "invalid") return;
  await enforce({ limiter: env.LIMIT_API_KEY, key: key.id });
  if (key.lastUsedAt !== null && key.lastUsedAt > now - KEY_USE_SECONDS) return;
  // With a client of its own: the caller waits for no write and gets no bookmark for it.
  const use = recordKeyUse(openDb(env.DB).db, key.id, now);
  waitUntil(use.catch((error: unknown) => logError(error, "warn")));
}

function methodNotAllowed(methods: string[]): AppError {
  const allow = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  return new AppError("methodNotAllowed", "Method not allowed", { headers: { Allow: allow.join(", ") } });
}

async function rawInput(
  { request, params, context }: RouteArgs,
  method: string,
  op: Operation<unknown>,
): Promise<unknown> {
  if (method === "GET") {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    delete query._ts;
    return { ...query, ...params };
  }
  if (op.accepts === "multipart" || (op.accepts === "either" && isMultipart(request))) {
    const { maxFields } = op;
    return {
      form: await readForm(request, { maxBytes: await bodyLimit(context, request, [op]), maxFields }),
      ...params,
    };
  }
  const { searchParams } = new URL(request.url);
  const inQuery = (op.call?.query ?? []).filter((name) => searchParams.has(name));
  const query = Object.fromEntries(inQuery.map((name) => [name, searchParams.get(name)]));
  return { ...(await readJson(request, op.maxBytes)), ...query, ...params };
}

async function answer(
  { request, context }: RouteArgs,
  op: Operation<unknown>,
  result: unknown,
): Promise<Response> {
  const headers = await outgoingHeaders(context);
  if (result instanceof Response) {
    for (const [name, value] of headers) result.headers.append(name, value);
    return result;
  }
  if (result instanceof Listing) headers.set("X-Total-Count", String(result.total));
  const body = JSON.stringify(result instanceof Listing ? result.rows : result);
  headers.set("Content-Type", "application/json; charset=utf-8");
  headers.set("Cache-Control", op.cacheable ? "no-cache" : "no-store");
  if (!op.cacheable) return new Response(body, { status: op.status, headers });
  const tag = await etag(body);
  headers.set("ETag", tag);
  const known = request.headers
    .get("If-None-Match")
    ?.split(",")
    .some((t) => t.trim().replace(/^W\//, "") === tag);
  return known
    ? new Response(null, { status: 304, headers })
    : new Response(body, { status: op.status, headers });
}

async function etag(body: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(body));
  return `"${Buffer.from(digest).toString("hex")}"`;
}

/**
 * Formats an error as JSON (docs/architecture.md, Operations). Anything but an AppError is logged and answered with a
 * bare 500.
 */
export function errorResponse(error: unknown): Response {
  const thrown = asAppError(error);
  const known = thrown.code === "invalid" && thrown.details ? validationError(thrown.details) : thrown;
  const isListed = known.code === "invalid" || known.isPublic;
  const details = isListed && known.details ? { details: known.details } : {};
  return Response.json(
    {
      message: known.message,
      ERR_MSG: known.message,
      ...details,
      ...(known.status >= 500 && { reference: errorReference() }),
    },
    { status: known.status, headers: { "Cache-Control": "no-store", ...known.headers } },
  );
}
