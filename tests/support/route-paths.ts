/** Value of every parameter of a path. */
export const PARAMETER = "x";

/** Returns the name of a route by its file: `_shop.terms`. */
export const nameOf = (file: string) => file.replace(/^.*\//, "").replace(/\.tsx?$/, "");

/** Path that a route's file name stands for, by Remix's flat file convention. */
export function pathOf(name: string): string {
  const segments = name.split(/\.(?![^[]*\])/).filter((segment) => !segment.startsWith("_"));
  const filled = segments.map((segment) =>
    segment.startsWith("$") ? PARAMETER : segment.replace(/_$/, "").replace(/\[(.)\]/g, "$1"),
  );
  return `/${filled.join("/")}`;
}
