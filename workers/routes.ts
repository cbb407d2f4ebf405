import { createRequestHandler, type RequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import type { MailTools } from "~/features/chat/operations/received-mails.server";
import type { apiRoutes } from "~/http/api-route.server";
import type { PageHandle } from "~/http/page.server";
import { asSameOrigin, type RequestContext } from "~/http/request-context.server";
import * as build from "../build/server";

/** Id of the build: pages of another one refer to missing files. */
export const release = build.assets.version;

type RouteId = keyof typeof build.routes;

/** Page that its route's `handle` marks as the same for everyone. */
type PublicPage = PageHandle["publicPage"] & { path: RegExp };

const routeIds = Object.keys(build.routes);

/** Route of the API, which has the reader of mails. */
const api = build.routes["routes/api.$"]?.module as unknown as Pick<MailTools, "readMail">;
export const readMail: MailTools["readMail"] = (raw) => api.readMail(raw);

/** Path patterns of all routes, such as `/products/:id`, and of public pages. */
export const routePaths = [...routeIds.map(pathOf), ...apiPaths()];
export const publicPaths = routeIds.filter(publicPageOf).map(pathOf);

/** Pages that are stored in the cache. */
export const publicPages: PublicPage[] = routeIds.flatMap((id) => {
  const page = publicPageOf(id);
  return page ? [{ ...page, path: matcher(pathOf(id)) }] : [];
});

/** Reads the paths of the API, which Remix knows as one route. */
function apiPaths(): string[] {
  const { loader } = build.routes["routes/api.$"]?.module ?? {};
  return (loader as ReturnType<typeof apiRoutes>["loader"] | undefined)?.paths ?? [];
}

function publicPageOf(id: RouteId): PageHandle["publicPage"] | undefined {
  return (build.routes[id]?.module.handle as Partial<PageHandle> | undefined)?.publicPage;
}

function pathOf(id: RouteId): string {
  const segments: string[] = [];
  for (let route = build.routes[id]; route; route = build.routes[route.parentId ?? ""])
    if (route.path) segments.unshift(route.path);
  return `/${segments.join("/")}`;
}

/** Builds the pattern of a path; its parameters match ids only. */
function matcher(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[\\w-]{1,64}")}$`);
}

/** Route patterns, those without parameters first. */
const patterns = routePaths
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}/?$`, "i"),
  }))
  .sort((a, b) => a.path.split(":").length - b.path.split(":").length);

/** Paths that are their own pattern. */
const exactPaths = new Set(routePaths.filter((path) => !/[:*]/.test(path)));

/** Finds the pattern of a path, such as `/products/:id`, which names nobody; `*` for an unknown one. */
export function routePatternOf(pathname: string): string {
  if (exactPaths.has(pathname)) return pathname;
  return patterns.find(({ path, pattern }) => !path.includes("*") && pattern.test(pathname))?.path ?? "*";
}

const firstSegment = (path: string) => path.split("/")[1] ?? "";

/** First segments of all routes that are not parameters, such as `shop`. */
const segments = new Set(
  routeIds.map((id) => firstSegment(pathOf(id))).filter((name) => /^[\w.-]+$/.test(name)),
);

const handleAnyPath = createRequestHandler(build, "production");
/** Handlers of the paths that begin with a segment. */
const handlers = new Map<string, RequestHandler>();

/**
 * Returns Remix's request handler for a path, whose routes are those that can match it: React Router ranks its routes
 * three times for each page (docs/decisions/0039-request-handlers.md).
 */
function handlerFor(pathname: string): RequestHandler {
  const segment = firstSegment(pathname);
  // Another spelling, such as /SHOP, may match every route.
  if (!segments.has(segment)) return handleAnyPath;
  const existing = handlers.get(segment);
  if (existing) return existing;
  const handler = createRequestHandler(buildFor(segment), "production");
  handlers.set(segment, handler);
  return handler;
}

/** Returns the build without the routes whose paths begin with another segment. */
function buildFor(segment: string): ServerBuild {
  const canMatch = (id: string) => {
    const first = firstSegment(pathOf(id));
    return first === segment || !segments.has(first);
  };
  const select = <T>(routes: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => canMatch(id)));
  const assets = { ...build.assets, routes: select(build.assets.routes) };
  return { ...build, routes: select(build.routes), assets };
}

/** Passes a request to Remix, whose cross-site check must not contradict the Worker's. */
export function remix(request: Request, context: RequestContext): Promise<Response> {
  const handle = handlerFor(context.url.pathname);
  const isRead = request.method === "GET" || request.method === "HEAD";
  return handle(isRead ? request : asSameOrigin(request), { ...context, routePaths, publicPaths });
}
