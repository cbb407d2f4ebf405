import { createResponse, listResponses } from "~/features/chat/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: listResponses, POST: createResponse });

export const loader = route.loader;
export const action = route.action;
