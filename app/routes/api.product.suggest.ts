import { suggest } from "~/features/catalogue/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: suggest });

export const loader = route.loader;
export const action = route.action;
