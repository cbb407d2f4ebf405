/** Bundle of workers/app.ts that tests/support/current-build.ts writes. */
declare module "worker-under-test" {
  const worker: typeof import("../../workers/app").default;
  export default worker;
  export { SharedPages } from "../../workers/app";
}
