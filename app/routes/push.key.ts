import { readPublicKey } from "~/features/push/operations.server";
import { apiRoute } from "~/http/api-route.server";

/** Returns the key that browsers subscribe with. */
const route = apiRoute({ GET: readPublicKey });

export const loader = route.loader;
