import { personalDataForms, readPersonalDataPage } from "~/features/privacy/operations.server";
import { apiRoute } from "~/http/api-route.server";
import * as api from "~/routes/api.$";

const erase = personalDataForms("").erase?.operation;

/** Takes the place of Remix's build in the simulation, whose people use the API, and forms of pages as if they were part of it. */
export const routes = {
  "routes/api.$": { id: "routes/api.$", path: "api/*", module: api },
  person: { id: "person", path: "simulation/person", module: apiRoute({ GET: readPersonalDataPage }) },
  erase: { id: "erase", path: "simulation/erase", module: apiRoute(erase ? { POST: erase } : {}) },
};
export const entry = { module: {} };
export const assets = { version: "simulation", url: "", entry: { module: "", imports: [] }, routes: {} };
export const future = {};
export const publicPath = "/";
export const assetsBuildDirectory = "";
export const mode = "production";
export const isSpaMode = false;
export const basename = "/";
