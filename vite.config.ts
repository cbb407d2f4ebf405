import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Rollup } from "vite";
import remixOptions from "./remix.config.js";
import { devWorker } from "./scripts/dev-worker";
import { iconSprite } from "./scripts/icon-sprite";

const app = fileURLToPath(new URL("./app", import.meta.url));
/** Modules that workerd provides. */
const PLATFORM = ["cloudflare:workers", "cloudflare:email", "node:crypto"];
/** Packages that the Durable Objects of workers/ need too: wrangler bundles them once for both. */
const SHARED_PACKAGES = /^(?:zod|drizzle-orm|date-fns|@date-fns\/tz|mimetext|unhomoglyph)(?:\/|$)/;
/** Has the version of a shared package that its author asks for. */
const WITH_OWN_VERSION = /node_modules\/remix-toast\//;
const isLeftToWrangler = (id: string, importer = "") =>
  PLATFORM.includes(id) || (SHARED_PACKAGES.test(id) && !WITH_OWN_VERSION.test(importer));
/** Address of the Worker with the Durable Objects, in development. */
const OBJECTS = process.env.DEV_OBJECTS_URL;

/** React and Remix, in one file, with what packages in CommonJS share. */
const FRAMEWORK =
  /node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|@remix-run|turbo-stream)\/|commonjsHelpers/;
const FRAME = /\/app\/(?:root|routes\/_shop)\.tsx$/;
/** Small parts of nearly every page of the shop; starting a chat, so that a product's page needn't load the panel. */
const SHARED =
  /\/app\/(?:domain\/(?:money|stock-levels)\.ts|ui\/(?:PriceTag|Icon|SubmitButton|load-styles)\.tsx?|features\/(?:cart\/CartForm\.tsx|catalogue\/(?:(?:ProductCard|LoadStates|urls)\.tsx?|(?:list|on-demand)\.css\?url)))$/;
/** Product page; cart, favourites and receipts use parts of it. */
const PRODUCT =
  /\/app\/(?:routes\/_shop\.products\.\$id|ui\/PickupTerms|features\/(?:product-page\/\w+|catalogue\/(?:Gallery|OptionFields)|favourites\/(?:FavouriteButton|recently-viewed)))\.tsx?$/;
/** Wording of choices, for the same and the chat. */
const OPTIONS = /\/app\/features\/catalogue\/(?:options\.ts|ChosenOptions\.tsx)$/;
/** Parts of forms in the shop and in the back office. */
const CONTROLS = /\/app\/ui\/(?:Field|hooks|retrying-action)\.tsx?$/;
const FORMS = /\/app\/(?:ui\/useCheckedForm|http\/fields)\.ts$/;
/** Parsing of amounts, for the shop's filters without the forms. */
const AMOUNTS = /\/app\/domain\/typed-amount\.ts$/;
const APP = /\/app\/(?:domain|features|layouts|http|ui)\/.*\.tsx?$/;
const ROUTE = /\/app\/routes\/[^/]+\.tsx?$/;
const OFFICE = /\/app\/routes\/admin/;
/** The chat's panel, loaded on demand. */
const CHAT =
  /\/app\/features\/(?:conversation\/(?:client|widget)\/|chat\/limits)|\/app\/http\/(?:email-address|retries)|\/partysocket\//;

/** Modules that lead to a module, or that it leads to, by static imports. */
function reached(id: string, follow: (id: string) => readonly string[], seen = new Set<string>()) {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const next of follow(id)) reached(next, follow, seen);
  return seen;
}

/** Packages that not every page of the back office needs, and the files for what uses them. */
const OFFICE_FILES: [RegExp, string][] = [
  [/\/node_modules\/@tanstack\//, "tables"],
  [/\/node_modules\/(?:zod|@conform-to)\//, "dialogs"],
  [/\/node_modules\//, "dates"],
];

/** Groups what several pages of the back office share, and only they: the list of routes names each file for each page. */
function officeChunk(id: string, getModuleInfo: Rollup.GetModuleInfo): string | undefined {
  if (!APP.test(id)) return undefined;
  const importers = [...reached(id, (to) => getModuleInfo(to)?.importers ?? [])];
  const routes = importers.filter((path) => ROUTE.test(path));
  if (routes.length < 2 || !routes.every((path) => OFFICE.test(path))) return undefined;
  const imports = [
    ...reached(id, (from) => getModuleInfo(from)?.importedIds.filter((to) => !FRAMEWORK.test(to)) ?? []),
  ];
  return OFFICE_FILES.find(([uses]) => imports.some((path) => uses.test(path)))?.[1] ?? "office";
}

/** Groups modules into few large files, which compress better than many small ones; Rollup splits the rest. */
const frameChunks: Rollup.GetManualChunk = (id, { getModuleInfo }) => {
  const seen = new Set<string>();
  const inFrame = (module: string): boolean => {
    if (FRAME.test(module) || SHARED.test(module)) return true;
    if (seen.has(module)) return false;
    seen.add(module);
    return getModuleInfo(module)?.importers.some(inFrame) ?? false;
  };
  if (FRAMEWORK.test(id)) return "framework";
  if (PRODUCT.test(id)) return "product";
  if (OPTIONS.test(id)) return "options";
  if (AMOUNTS.test(id)) return "amounts";
  if (inFrame(id)) return "frame";
  if (CHAT.test(id)) return "ChatPanel";
  if (CONTROLS.test(id)) return "controls";
  if (FORMS.test(id)) return "forms";
  return officeChunk(id, getModuleInfo);
};

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [devWorker(), iconSprite(), remix(remixOptions)],
  resolve: {
    alias: { "~": app },
    mainFields: ["browser", "module", "main"],
  },
  server: OBJECTS ? { proxy: { "/socket.io": { target: OBJECTS, ws: true } } } : {},
  // All pages: a package that is discovered late reloads the page in the middle of what its user does.
  optimizeDeps: { entries: ["app/entry.client.tsx", "app/root.tsx", "app/routes/**/*.tsx"] },
  esbuild: { legalComments: "none" },
  build: {
    ...(isSsrBuild
      ? {
          // Only writes other characters as escapes. With one beyond Latin-1, such as the € of a package's pattern, V8 stores
          // the whole Worker with two bytes a character, and each page, into which Remix copies a function's source.
          minify: "terser" as const,
          terserOptions: {
            compress: false,
            mangle: false,
            format: { ascii_only: true, comments: false },
          },
        }
      : {
          // Packages in CommonJS without circular imports need no function around each module.
          commonjsOptions: { strictRequires: "auto" as const },
          // Four per cent smaller than esbuild's output.
          minify: "terser" as const,
          terserOptions: {
            module: true,
            ecma: 2020,
            compress: { passes: 2, inline: 1, pure_getters: true },
            format: { comments: false },
          },
        }),
    assetsInlineLimit: 0,
    cssMinify: true,
    target: "es2022",
    // Remix names what a page needs itself.
    modulePreload: false,
    chunkSizeWarningLimit: 400,
    // Dynamic imports stay dynamic in the Worker: Vite would inline them into a file that runs at start-up.
    rollupOptions: isSsrBuild
      ? {
          external: isLeftToWrangler,
          output: {
            inlineDynamicImports: false,
            hashCharacters: "hex",
            // Otherwise files that are imported on demand name shared packages that they don't use, and wrangler warns.
            hoistTransitiveImports: false,
          },
        }
      : {
          // Chunks that import each other run before what they import: a fault that only browsers show.
          onwarn: (warning, warn) => {
            if (warning.code === "CIRCULAR_CHUNK") throw new Error(warning.message);
            warn(warning);
          },
          output: {
            manualChunks: frameChunks,
            // The list of routes repeats these names, and hashes do not compress. Both builds name the same files.
            hashCharacters: "hex",
            // That list has the names of pages already. Routes without a page are empty files with the same hash.
            entryFileNames: ({ exports }) =>
              exports.length > 0 ? "assets/[hash:7].js" : "assets/[name]-[hash:7].js",
            chunkFileNames: "assets/[name]-[hash:7].js",
          },
        },
  },
  ssr: {
    resolve: { conditions: ["workerd", "worker", "browser"], externalConditions: ["workerd", "worker"] },
    ...(command === "build"
      ? { target: "webworker" as const, noExternal: true as const, external: PLATFORM }
      : {}),
  },
}));
