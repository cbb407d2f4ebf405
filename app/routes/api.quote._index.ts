import { sendQuote } from "~/features/sales/quotes.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: sendQuote });

export const loader = route.loader;
export const action = route.action;
