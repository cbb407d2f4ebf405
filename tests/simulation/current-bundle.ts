import { bundleSimulation } from "./runtime/bundle.mjs";

/** Bundles the simulation of the current source; it runs as Node does, without the modules of Vite, which load at their own pace. */
export default function bundleCurrentSource(): Promise<void> {
  return bundleSimulation("exports.ts", ".wrangler/simulation/tests.mjs");
}
