/** Bundle of exports.ts that current-bundle.ts writes. */
declare module "simulation-under-test" {
  export const migrations: string;
  export const COMMANDS: typeof import("./commands").COMMANDS;
  export const runHistory: typeof import("./history").runHistory;
  export const sampleHistories: typeof import("./history").sampleHistories;
  export const World: typeof import("./runtime/world").World;
}
