import { deleteProduct, updateProduct } from "~/features/catalogue/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ PUT: updateProduct, DELETE: deleteProduct });

export const loader = route.loader;
export const action = route.action;
