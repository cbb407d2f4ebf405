import { addCustomer, readCustomers } from "~/features/sales/customers.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: readCustomers, POST: addCustomer });

export const loader = route.loader;
export const action = route.action;
