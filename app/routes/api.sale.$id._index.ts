import { getDocument } from "~/features/sales/documents.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: getDocument });

export const loader = route.loader;
export const action = route.action;
