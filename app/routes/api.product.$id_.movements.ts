import { readMovements } from "~/features/inventory/movements.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: readMovements });

export const loader = route.loader;
export const action = route.action;
