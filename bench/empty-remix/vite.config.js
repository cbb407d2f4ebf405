import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import remixOptions from "../../remix.config.js";

export default defineConfig({
  plugins: [remix({ ...remixOptions, future: { ...remixOptions.future, v3_routeConfig: false } })],
  resolve: { mainFields: ["browser", "module", "main"] },
  ssr: {
    target: "webworker",
    noExternal: true,
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
  },
});
