import { expect, it } from "vitest";
import { API_ROUTES } from "~/api/routes.server";

const ROUTES = Object.keys(API_ROUTES).map((path) => path.split("/"));
const isParameter = (segment = "") => segment.startsWith(":");

/** Tells whether one path can be that of both routes. */
const overlap = (one: string[], other: string[]) =>
  one.length === other.length &&
  one.every((part, i) => part === other[i] || isParameter(part) || isParameter(other[i]));

/** Names that stand where another route of the resource has an id: `all` of `product/all` beside `product/:id`. */
function namesBesideIds(resource: string): string[] {
  const own = ROUTES.filter(([first, second]) => first === resource && second !== undefined);
  const withId = own.filter(([, second]) => isParameter(second));
  const named = own.filter((route) => !withId.includes(route));
  return named.filter((route) => withId.some((each) => overlap(route, each))).map(([, name = ""]) => name);
}

/** Returns the problems of an id with which a record is added. */
function idProblems(path: string, id: string): string[] {
  const { error } = API_ROUTES[path]?.POST?.input.safeParse({ id }) ?? {};
  return (error?.issues ?? []).filter((issue) => issue.path[0] === "id").map(({ message }) => message);
}

/** Routes that add a record under an id of the caller's choice. */
const ADDING = ROUTES.filter(([, second = ":"]) => isParameter(second))
  .map((route) => route.join("/"))
  .filter((path) => idProblems(path, "?").length > 0);

it("some records are added under an id of the caller's choice", () => {
  expect(ADDING).toEqual(expect.arrayContaining(["product", "invoice", "expense", "sale"]));
  expect(namesBesideIds("product")).toEqual(expect.arrayContaining(["all", "category"]));
});

it.each(ADDING)("POST %s accepts no id that a route beside it has for a name", (path) => {
  const [resource = ""] = path.split("/");
  const accepted = namesBesideIds(resource)
    .flatMap((name) => [name, name.toUpperCase()])
    .filter((name) => idProblems(path, name).length === 0);
  expect(accepted, "Add them to the `names` of the `clientId` in the schema of that route").toEqual([]);
  expect(idProblems(path, "own-1")).toEqual([]);
});
