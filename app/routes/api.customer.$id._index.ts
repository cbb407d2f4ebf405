import { changeCustomer, readCustomer } from "~/features/sales/customers.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: readCustomer, PATCH: changeCustomer });

export const loader = route.loader;
export const action = route.action;
