import { extendHold, releaseHold } from "~/features/sales/holds.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PATCH: extendHold, DELETE: releaseHold });

export const loader = route.loader;
export const action = route.action;
