import { deleteInvoice, updateInvoice } from "~/features/ledger/operations/invoices.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PUT: updateInvoice, DELETE: deleteInvoice });

export const loader = route.loader;
export const action = route.action;
