import { introduce } from "~/features/chat/operations/introduction.server";
import { apiRoute } from "~/http/api-route.server";

/** Stores the name and e-mail address that the visitor of a chat gives, for scripts that stay on their page. */
const route = apiRoute({ PATCH: introduce });

export const action = route.action;
