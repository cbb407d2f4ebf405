import { listFavourites } from "~/features/favourites/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: listFavourites });

export const loader = route.loader;
export const action = route.action;
