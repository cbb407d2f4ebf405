import { readExpenseTotals } from "~/features/ledger/operations/figures.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: readExpenseTotals });

export const loader = route.loader;
export const action = route.action;
