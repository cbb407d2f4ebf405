import type { PageHandle } from "~/http/page.server";
import * as build from "../build/server";

/** Page that its route's `handle` marks as the same for everyone. */
interface PublicPage {
  path: RegExp;
  parameters: string[];
}

type RouteId = keyof typeof build.routes;

/** Path patterns of all routes, such as `/products/:id`, and of public pages. */
export const routePaths = Object.keys(build.routes).map(pathOf);
export const publicPaths = Object.keys(build.routes).filter(handleOf).map(pathOf);

/** Pages stored in the edge cache. */
export const publicPages: PublicPage[] = Object.keys(build.routes).flatMap((id) => {
  const handle = handleOf(id);
  return handle ? [{ path: matcher(pathOf(id)), parameters: handle.parameters }] : [];
});

function handleOf(id: RouteId): PageHandle["publicPage"] | undefined {
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

/** Finds the pattern of a path, such as `/products/:id`, which names nobody; `*` for an unknown one. */
export function routePatternOf(pathname: string): string {
  return patterns.find(({ path, pattern }) => !path.includes("*") && pattern.test(pathname))?.path ?? "*";
}
