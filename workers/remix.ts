import { createRequestHandler, type ServerBuild } from "@remix-run/cloudflare";
import type { RequestContext } from "~/http/request-context.server";
import * as build from "../build/server";

/**
 * Parts of the site that have nothing to match in each other. Remix ranks and tries all routes that it knows for each
 * request, three times over: it is told of one part's only, which halves what a page costs besides its rendering.
 */
const PARTS: { path: RegExp; route: RegExp }[] = [
  { path: /^\/api(?:\/|$)/i, route: /^routes\/api\./ },
  { path: /^\/admin(?:\/|$)/i, route: /^routes\/admin(?:\.|$)/ },
];
const isElsewhere = (id: string) => PARTS.some(({ route }) => route.test(id));

const handlers = PARTS.map(({ path, route }) => ({ path, handle: handlerOf((id) => route.test(id)) }));
const shop = handlerOf((id) => !isElsewhere(id));

/** Names the build; changes with every file that browsers load. */
export const release = build.assets.version;

/**
 * Lets Remix answer a request.
 *
 * @param request whose path says which part of the site is asked
 * @param context handed to loaders and actions
 */
export function remix(request: Request, context: RequestContext): Promise<Response> {
  const { pathname } = new URL(request.url);
  const part = handlers.find(({ path }) => path.test(pathname));
  return (part?.handle ?? shop)(request, { ...context });
}

function handlerOf(isOwn: (id: string) => boolean) {
  const own = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => id === "root" || isOwn(id)));
  const part: ServerBuild = {
    ...build,
    routes: own(build.routes),
    assets: { ...build.assets, routes: own(build.assets.routes) },
  };
  return createRequestHandler(part, "production");
}
