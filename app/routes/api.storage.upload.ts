import { uploadImages } from "~/features/storage/operations.server";
import { apiRoute } from "~/http/api-route.server";

const route = apiRoute({ POST: uploadImages });

export const loader = route.loader;
export const action = route.action;
