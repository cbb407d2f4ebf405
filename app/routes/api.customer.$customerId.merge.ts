import { mergeCustomer } from "~/features/sales/customers.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: mergeCustomer });

export const loader = route.loader;
export const action = route.action;
