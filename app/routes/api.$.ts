import { apiNotFound } from "~/http/api-route.server";

export const { loader, action } = apiNotFound();
