import * as build from "../../build/server";

/** A route of the built shop that takes what visitors send. */
export interface Target {
  /** Path with its parameters filled in. */
  path: string;
  isApi: boolean;
}

/** Stands for every parameter of a path. */
const PARAMETER = "x";

function pathOf(id: string | undefined): string {
  const route = id === undefined ? undefined : build.routes[id];
  return route ? [pathOf(route.parentId), route.path].filter(Boolean).join("/") : "";
}

/** All routes with an action: pages with forms, and the API. A new one is among them without being named. */
export const TARGETS: Target[] = Object.values(build.routes)
  .filter(({ module }) => "action" in module)
  .map(({ id, index }) => {
    const path = `/${pathOf(id)}`.replace(/:\w+|\*/g, PARAMETER);
    const isApi = path.startsWith("/api/");
    return { path: index && !isApi ? `${path}?index` : path, isApi };
  });

/** Pages, and what else takes a plain form. */
export const FORM_TARGETS = TARGETS.filter(({ isApi }) => !isApi);
export const API_TARGETS = TARGETS.filter(({ isApi }) => isApi);
