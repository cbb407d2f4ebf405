import * as api from "~/routes/api.$";

/** Takes the place of Remix's build in the simulation, whose people use the API alone. */
export const routes = {
  "routes/api.$": { id: "routes/api.$", path: "api/*", module: api },
};
export const entry = { module: {} };
export const assets = { version: "simulation", url: "", entry: { module: "", imports: [] }, routes: {} };
export const future = {};
export const publicPath = "/";
export const assetsBuildDirectory = "";
export const mode = "production";
export const isSpaMode = false;
export const basename = "/";
