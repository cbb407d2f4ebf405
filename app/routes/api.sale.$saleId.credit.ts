import { creditSale } from "~/features/sales/credit.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: creditSale });

export const loader = route.loader;
export const action = route.action;
