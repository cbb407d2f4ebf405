import { apiRoute } from "~/http/api-route.server";
import { notYet } from "~/http/not-yet.server";

const route = apiRoute({ GET: notYet });

export const loader = route.loader;
export const action = route.action;
