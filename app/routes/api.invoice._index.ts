import { addInvoice } from "~/features/ledger/operations/invoices.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: addInvoice });

export const loader = route.loader;
export const action = route.action;
