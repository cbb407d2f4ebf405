import { mailReceipt } from "~/features/sales/receipt/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: mailReceipt });

export const loader = route.loader;
export const action = route.action;
