/** What `remix vite:build` leaves in build/server. */
declare module "*/build/server" {
  const build: import("@remix-run/cloudflare").ServerBuild & {
    entry: { module: typeof import("~/entry.server") };
  };
  export = build;
}

declare module "*/remix.config.js" {
  const options: import("@remix-run/dev").VitePluginConfig;
  export default options;
}
