import { deleteUser, updateAccount } from "~/features/accounts/operations.server";
import { apiRoute } from "~/http/api-route.server";

export const { loader, action } = apiRoute({ PUT: updateAccount, DELETE: deleteUser });
