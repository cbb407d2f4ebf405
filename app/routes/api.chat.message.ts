import { postMessage } from "~/features/chat/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: postMessage });

export const loader = route.loader;
export const action = route.action;
