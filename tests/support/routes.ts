/** Value of every parameter of a path. */
export const PARAMETER = "x";

/** Source of each route, by file name. */
const SOURCES = import.meta.glob<string>("../../app/routes/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Names of the routes' files. */
export const ROUTE_NAMES = Object.keys(SOURCES).map(nameOf);

function nameOf(file: string): string {
  return file.replace(/^.*\//, "").replace(/\.tsx?$/, "");
}

/** Path that a route's file name stands for, by Remix's flat file convention. */
export function pathOf(name: string): string {
  const segments = name.split(/\.(?![^[]*\])/).filter((segment) => !segment.startsWith("_"));
  const filled = segments.map((segment) =>
    segment.startsWith("$") ? PARAMETER : segment.replace(/_$/, "").replace(/\[(.)\]/g, "$1"),
  );
  return `/${filled.join("/")}`;
}

/** Pages, and other routes outside the API that take a plain form. A new one is among them without being named. */
export const FORM_PATHS = Object.entries(SOURCES)
  .filter(([, source]) => !source.includes("apiRoute("))
  .filter(([, source]) => /export (?:async function|const) (?:\{[^}]*)?action\b/.test(source))
  .map(([file]) => {
    const name = nameOf(file);
    return name.endsWith("_index") ? `${pathOf(name)}?index` : pathOf(name);
  })
  .filter((path) => !path.startsWith("/api/"));
