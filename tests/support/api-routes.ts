import { API_ROUTES } from "~/api/routes.server";
import { PARAMETER } from "./route-paths";

const apiPath = (pattern: string) => `/api/${pattern.replaceAll(/:\w+/g, PARAMETER)}`;

/** Routes of the API with their parameters filled in. */
export const API_PATHS = Object.keys(API_ROUTES).map(apiPath);

/** Methods of those routes, with the access that their operations require. */
export const API_CALLS = Object.entries(API_ROUTES).flatMap(([pattern, operations]) =>
  Object.entries(operations).map(([method, { access }]) => ({ method, path: apiPath(pattern), access })),
);

/** Routes of the ledger, of a year that has entries. */
export const LEDGER_CALLS = API_CALLS.filter(({ path }) =>
  /^\/api\/(?:invoice|expense|sale\/(?:all|category|year))(?:\/|$)/.test(path),
).map(({ method, path }) => ({ method, path: path.replace(`/year/${PARAMETER}`, "/year/2026") }));
