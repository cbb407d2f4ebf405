import { signOut } from "~/features/accounts/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: signOut });

export const loader = route.loader;
export const action = route.action;
