import { deleteChat, updateChat } from "~/features/chat/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PATCH: updateChat, DELETE: deleteChat });

export const loader = route.loader;
export const action = route.action;
