import { API_ROUTES, readOpenApi } from "~/api/routes.server";
import { apiRoutes } from "~/http/api-route.server";

export { readMail } from "~/features/chat/mail-reader-on-demand";

// One route of Remix for all of them: browsers load the list of Remix's routes, and never these.
const route = apiRoutes({ ...API_ROUTES, "openapi.json": { GET: readOpenApi } });

export const loader = route.loader;
export const action = route.action;
