import { readCardProducts } from "~/features/chat/operations/cards.server";
import { apiRoute } from "~/http/api-route.server";

/** Returns the current data of the products on cards (`?ids=a,b`). */
const route = apiRoute({ GET: readCardProducts });

export const loader = route.loader;
