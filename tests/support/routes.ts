import { nameOf, pathOf } from "./route-paths";

/** Source of each route, by file name. */
const SOURCES = import.meta.glob<string>("../../app/routes/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Names of the routes' files. */
export const ROUTE_NAMES = Object.keys(SOURCES).map(nameOf);

/** Paths of the pages that search engines may index, with PARAMETER in the place of an id. */
export const PUBLIC_PATHS = Object.entries(SOURCES)
  .filter(([, source]) => source.includes("publicPage"))
  .map(([file]) => pathOf(nameOf(file)));

/** Pages, and other routes outside the API that take a plain form. A new one is among them without being named. */
export const FORM_PATHS = Object.entries(SOURCES)
  .filter(([, source]) => !source.includes("apiRoute("))
  .filter(([, source]) => /export (?:async function|const) (?:\{[^}]*)?action\b/.test(source))
  .map(([file]) => {
    const name = nameOf(file);
    return name.endsWith("_index") ? `${pathOf(name)}?index` : pathOf(name);
  })
  .filter((path) => !path.startsWith("/api/"));
