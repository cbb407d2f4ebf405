export { default as migrations } from "simulation:migrations";
export { COMMANDS } from "./commands";
export { runHistory, sampleHistories } from "./history";
export { World } from "./runtime/world";
