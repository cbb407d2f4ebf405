/** A route that takes what visitors send. */
export interface Target {
  /** Path with its parameters filled in. */
  path: string;
  isApi: boolean;
}

/** Value of every parameter of a path. */
const PARAMETER = "x";

/** Source of each route, by file name. */
const SOURCES = import.meta.glob<string>("../../app/routes/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Path that a route's file name stands for, by Remix's flat file convention. */
function pathOf(name: string): string {
  const segments = name.split(/\.(?![^[]*\])/).filter((segment) => !segment.startsWith("_"));
  const filled = segments.map((segment) =>
    segment.startsWith("$") ? PARAMETER : segment.replace(/_$/, "").replace(/\[(.)\]/g, "$1"),
  );
  return `/${filled.join("/")}`;
}

/** All routes with an action: pages with forms, and the API. A new one is among them without being named. */
const TARGETS: Target[] = Object.entries(SOURCES)
  .filter(([, source]) => /export (?:async function|const) (?:\{[^}]*)?action\b/.test(source))
  .map(([file]) => {
    const name = file.replace(/^.*\//, "").replace(/\.tsx?$/, "");
    const path = pathOf(name);
    const isApi = path.startsWith("/api/");
    return { path: name.endsWith("_index") && !isApi ? `${path}?index` : path, isApi };
  });

/** Pages, and other routes that take a plain form. */
export const FORM_TARGETS = TARGETS.filter(({ isApi }) => !isApi);
export const API_TARGETS = TARGETS.filter(({ isApi }) => isApi);
