import { addFavourite, removeFavourite } from "~/features/favourites/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PUT: addFavourite, DELETE: removeFavourite });

export const loader = route.loader;
export const action = route.action;
