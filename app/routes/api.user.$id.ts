import { deleteUser, updateAccount } from "~/features/accounts/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PUT: updateAccount, DELETE: deleteUser });

export const loader = route.loader;
export const action = route.action;
