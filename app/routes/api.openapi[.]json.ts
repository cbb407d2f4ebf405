import { readOpenApi } from "~/features/api-reference/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: readOpenApi });

export const loader = route.loader;
export const action = route.action;
