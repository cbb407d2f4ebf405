import { planImport } from "~/features/product-import/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: planImport });

export const loader = route.loader;
export const action = route.action;
