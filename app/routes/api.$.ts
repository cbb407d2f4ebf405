import { apiNotFound } from "~/http/api-route.server";

const route = apiNotFound();

export const loader = route.loader;
export const action = route.action;
