import { readSaleCards } from "~/features/sales/cards/read-cards.server";
import { apiRoute } from "~/http/api-route.server";

/** Returns the current holds, quotes and receipts of a chat, to its participants. */
const route = apiRoute({ GET: readSaleCards });

export const loader = route.loader;
