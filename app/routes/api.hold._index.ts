import { placeHold } from "~/features/sales/holds.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: placeHold });

export const loader = route.loader;
export const action = route.action;
