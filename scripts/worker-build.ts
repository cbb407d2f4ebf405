import type { BuildEnvironmentOptions } from "vite";

/** Modules that workerd provides. */
export const PLATFORM = ["cloudflare:workers", "cloudflare:email", "node:crypto"];
/** Packages that the Durable Objects of workers/ need too: wrangler bundles them once for both. */
const SHARED_PACKAGES = /^(?:zod|drizzle-orm|date-fns|@date-fns\/tz|mimetext|unhomoglyph)(?:\/|$)/;
/** Has the version of a shared package that its author asks for. */
const WITH_OWN_VERSION = /node_modules\/remix-toast\//;

/** Options of the Worker's build, which wrangler bundles. */
export const WORKER_BUILD: BuildEnvironmentOptions = {
  // Only writes other characters as escapes. With one beyond Latin-1, such as the € of a package's pattern, V8 stores
  // the whole Worker with two bytes a character, and each page, into which Remix copies a function's source.
  minify: "terser",
  terserOptions: { compress: false, mangle: false, format: { ascii_only: true, comments: false } },
  rollupOptions: {
    external: (id, importer = "") =>
      PLATFORM.includes(id) || (SHARED_PACKAGES.test(id) && !WITH_OWN_VERSION.test(importer)),
    output: {
      // Dynamic imports stay dynamic: Vite would inline them into a file that runs at start-up.
      inlineDynamicImports: false,
      hashCharacters: "hex",
      // Otherwise files that are imported on demand name shared packages that they don't use, and wrangler warns.
      hoistTransitiveImports: false,
    },
  },
};
