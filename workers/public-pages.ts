import type { PageHandle } from "~/http/page.server";
import * as build from "../build/server";

/** A page that is the same for everyone, as its route's `handle` says. */
interface PublicPage {
  path: RegExp;
  parameters: string[];
}

type RouteId = keyof typeof build.routes;

/** Paths of all routes, such as `/products/:id`, and of those that are public pages. */
export const routePaths = Object.keys(build.routes).map(pathOf);
export const publicPaths = Object.keys(build.routes).filter(handleOf).map(pathOf);

/** Pages that the edge cache keeps. */
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

/** A longer or stranger parameter names nothing that is worth keeping. */
function matcher(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[\\w-]{1,64}")}$`);
}
