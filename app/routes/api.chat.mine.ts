import { listOwnChats } from "~/features/chat/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ GET: listOwnChats });

export const loader = route.loader;
export const action = route.action;
