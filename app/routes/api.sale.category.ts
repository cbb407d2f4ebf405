import { salesByCategory } from "~/features/ledger/operations/figures.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: salesByCategory });

export const loader = route.loader;
export const action = route.action;
