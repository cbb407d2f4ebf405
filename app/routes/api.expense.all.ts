import { listExpenses } from "~/features/ledger/operations/expenses.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: listExpenses });

export const loader = route.loader;
export const action = route.action;
