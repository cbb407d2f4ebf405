import { readProduct } from "~/features/catalogue/operations.server";
import { apiRoute } from "~/http/api-route.server";

export const { loader, action } = apiRoute({ GET: readProduct });
