import { readMessages } from "~/features/chat/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: readMessages });

export const loader = route.loader;
export const action = route.action;
