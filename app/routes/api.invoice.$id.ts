import { apiRoute } from "~/http/api-route.server";
import { notYet } from "~/http/not-yet.server";

const route = apiRoute({ PUT: notYet, DELETE: notYet });

export const loader = route.loader;
export const action = route.action;
