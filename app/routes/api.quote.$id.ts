import { changeQuote } from "~/features/sales/quotes.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PATCH: changeQuote });

export const loader = route.loader;
export const action = route.action;
