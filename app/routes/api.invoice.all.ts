import { invoices } from "~/features/ledger/operations/kinds.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: invoices.list });

export const loader = route.loader;
export const action = route.action;
