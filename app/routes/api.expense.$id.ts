import { expenses } from "~/features/ledger/operations/kinds.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PUT: expenses.update, DELETE: expenses.delete });

export const loader = route.loader;
export const action = route.action;
