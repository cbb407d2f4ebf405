import { listUsers } from "~/features/accounts/operations.server";
import { apiRoute } from "~/http/api-route.server";

export const { loader, action } = apiRoute({ GET: listUsers });
