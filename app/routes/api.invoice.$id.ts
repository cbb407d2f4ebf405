import { invoices } from "~/features/ledger/operations/kinds.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PUT: invoices.update, DELETE: invoices.delete });

export const loader = route.loader;
export const action = route.action;
