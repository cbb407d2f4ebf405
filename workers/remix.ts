import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import { asOwnSite } from "~/http/csrf.server";
import type { RequestContext } from "~/http/request-context.server";
import * as build from "../build/server";

/** Names the build; changes with every file that browsers load. */
export const release = build.assets.version;

type Handler = ReturnType<typeof createRequestHandler>;

/**
 * Remix ranks and tries all routes that it knows for each request, three times over. So there is one handler for each
 * first segment of a path, which knows only what can match behind it: that takes a quarter off what a page costs.
 */
const handlers = new Map<string, Handler>(
  Object.keys(build.routes).map((id) => [firstSegment(id), handlerOf(firstSegment(id))]),
);
const otherwise = handlerOf(null);

/**
 * Lets Remix answer a request.
 *
 * @param request whose path says which routes may match
 * @param context handed to loaders and actions
 */
export function remix(request: Request, context: RequestContext): Promise<Response> {
  const segment = decoded(new URL(request.url).pathname.split("/")[1] ?? "").toLowerCase();
  const safe = request.method === "GET" || request.method === "HEAD";
  return (handlers.get(segment) ?? otherwise)(safe ? request : asOwnSite(request), { ...context });
}

/** @param segment what the path begins with; null for one that no route names */
function handlerOf(segment: string | null): Handler {
  const mayMatch = (id: string) =>
    isFrame(id) || firstSegment(id) === segment || /^[:*]/.test(firstSegment(id));
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

function firstSegment(id: string): string {
  return (pathOf(id).split("/")[0] ?? "").toLowerCase();
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
