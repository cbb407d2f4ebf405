import { subscribe, unsubscribe } from "~/features/push/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: subscribe, DELETE: unsubscribe });

export const loader = route.loader;
export const action = route.action;
