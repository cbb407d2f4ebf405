import { mailReceipt } from "~/features/sales/receipt/operations.server";
import { apiRoute } from "~/http/api-route.server";

export const { loader, action } = apiRoute({ POST: mailReceipt });
