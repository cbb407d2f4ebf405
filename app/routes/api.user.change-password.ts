import { changePassword } from "~/features/accounts/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PUT: changePassword });

export const loader = route.loader;
export const action = route.action;
