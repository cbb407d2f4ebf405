import { listSales } from "~/features/sales/documents.server";
import { recordSale } from "~/features/sales/record.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: listSales, POST: recordSale });

export const loader = route.loader;
export const action = route.action;
