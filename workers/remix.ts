import type { ServerBuild } from "@remix-run/cloudflare";
import { asOwnSite } from "~/http/csrf.server";
import type { RequestContext } from "~/http/request-context.server";
import * as build from "../build/server";
import { publicPaths, routePaths } from "./public-pages";

/** Names the build; changes with every file that browsers load. */
export const release = build.assets.version;

const { createRequestHandler } = build.entry.module;
type Handler = ReturnType<typeof createRequestHandler>;

/**
 * Remix ranks and tries all routes that it knows for each request, three times over. So there is one handler for each
 * first segment of a path, for calls for each second one, which knows only what can match behind it: that takes a
 * quarter off what a page costs, and as much off a call.
 */
const beginnings = new Set(Object.keys(build.routes).map((id) => beginning(pathOf(id))));
/** Made when they are first wanted: all of them at once would cost the start-up. */
const handlers = new Map<string | null, Handler>();

/**
 * Lets Remix answer a request.
 *
 * @param request whose path says which routes may match
 * @param context handed to loaders and actions
 */
export function remix(request: Request, context: RequestContext): Promise<Response> {
  const path = new URL(request.url).pathname.slice(1);
  const safe = request.method === "GET" || request.method === "HEAD";
  const wanted = beginning(path.split("/", 2).map(decoded).join("/"));
  const key = beginnings.has(wanted) ? wanted : null;
  const handler = handlers.get(key) ?? handlerOf(key);
  handlers.set(key, handler);
  return handler(safe ? request : asOwnSite(request), { ...context, routePaths, publicPaths });
}

/** @param wanted what the path begins with; null for one that no route names */
function handlerOf(wanted: string | null): Handler {
  const mayMatch = (id: string) => {
    const begins = beginning(pathOf(id));
    return isFrame(id) || begins === wanted || /^(?:api\/)?[:*]/.test(begins);
  };
  const reachable = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => mayMatch(id)));
  const part: ServerBuild = {
    ...build,
    routes: reachable(build.routes),
    assets: { ...build.assets, routes: reachable(build.assets.routes) },
  };
  return createRequestHandler(part, "production");
}

/** Root and the layouts that have no path: around the pages of any segment. */
function isFrame(id: string): boolean {
  return !build.routes[id]?.index && pathOf(id) === "";
}

/** A path's first segment; of calls the first two. */
function beginning(path: string): string {
  const [first = "", second = ""] = path.toLowerCase().split("/");
  return first === "api" ? `${first}/${second}` : first;
}

function pathOf(id: string | undefined): string {
  const route = id === undefined ? undefined : build.routes[id];
  return route ? [pathOf(route.parentId), route.path].filter(Boolean).join("/") : "";
}

/** As the router reads a segment: one that can't be decoded stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
