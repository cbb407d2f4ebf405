import { deleteResponse, updateResponse } from "~/features/chat/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PATCH: updateResponse, DELETE: deleteResponse });

export const loader = route.loader;
export const action = route.action;
