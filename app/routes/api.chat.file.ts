import { readFile } from "~/features/chat/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: readFile });

export const loader = route.loader;
export const action = route.action;
