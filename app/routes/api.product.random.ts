import { listRandomProducts } from "~/features/catalogue/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: listRandomProducts });

export const loader = route.loader;
export const action = route.action;
