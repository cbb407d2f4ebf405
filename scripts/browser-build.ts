import type { BuildEnvironmentOptions, Rollup } from "vite";

/**
 * Groups of modules in the browser's build: few large files compress better than many small ones. A module's file follows
 * from the pages that reach it, so that a new module needs no entry here. Two files never import each other: what a module
 * imports is reached by all that reach the module, and the first rule that fits both comes first for both.
 */

/** React and Remix, with what packages in CommonJS share. */
const FRAMEWORK =
  /node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|@remix-run|turbo-stream)\/|commonjsHelpers/;
/** Modules that each page of the shop loads. */
const SHOP_FRAME = /\/app\/(?:root|routes\/_shop)\.tsx/;
const PRODUCT_PAGE = /\/app\/routes\/_shop\.products\.\$id\.tsx/;
/** Pages that most visits begin with, and the cart that they load: what two of them need is part of the frame. */
const FIRST_VIEWS = [
  /\/app\/routes\/_shop\._index\.tsx/,
  /\/app\/routes\/_shop\.shop\.tsx/,
  PRODUCT_PAGE,
  /\/cart\/CartContents\.tsx/,
];
/** Choice of a product with options, for whose page nothing of the chat's is loaded. */
const UNIT_CHOICE = /\/product-page\/UnitChoice\.tsx/;
/** Panel of the chat, which is loaded on demand, and the features and packages that it uses. */
const CHAT_PANEL = /\/conversation\/widget\/ChatPanel\.tsx/;
const CHAT_PARTS = /\/app\/features\/(?:chat|conversation|push|sales)\/|\/node_modules\//;
/** Small parts of forms and texts, in the shop and in the back office. */
const CONTROLS = /\/app\/(?:ui|domain|http)\/[^?]+\.tsx?$/;
const ROUTE = /\/app\/(?:root|routes\/[^/?]+)\.tsx?/;
const OFFICE = /\/app\/routes\/admin/;
const FORM_PACKAGES = /\/node_modules\/(?:zod|@conform-to)\//;
/** Packages that not every page of the back office needs, and the files for what uses them. */
const OFFICE_FILES: [RegExp, string][] = [
  [/\/node_modules\/@tanstack\//, "tables"],
  [FORM_PACKAGES, "dialogs"],
  [/\/node_modules\//, "dates"],
];

/** Names the file of a module; Rollup splits what has none, by the pages that load it. */
const pageChunks: Rollup.GetManualChunk = (id, { getModuleInfo }) => {
  if (FRAMEWORK.test(id)) return "framework";
  const importers = reached(id, (to) => getModuleInfo(to)?.importers);
  const isReachedFrom = (module: RegExp) => importers.some((path) => module.test(path));
  const views = FIRST_VIEWS.filter(isReachedFrom);
  if (views.length > 1 || isReachedFrom(SHOP_FRAME)) return "frame";
  if (isReachedFrom(PRODUCT_PAGE)) return "product";
  if (isReachedFrom(UNIT_CHOICE)) return undefined;
  if (isReachedFrom(CHAT_PANEL)) return CHAT_PARTS.test(id) ? "ChatPanel" : "controls";
  if (views.length > 0) return undefined;
  return sharedFile(id, getModuleInfo);
};

/** Names the file of what several pages share that are no first views. */
function sharedFile(id: string, getModuleInfo: Rollup.GetModuleInfo): string | undefined {
  const users = reached(id, (to) => {
    const info = getModuleInfo(to);
    return [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])];
  });
  const routes = new Set(users.flatMap((path) => ROUTE.exec(path)?.[0] ?? []));
  if (routes.size < 2) return undefined;
  const imports = reached(id, (from) => getModuleInfo(from)?.importedIds.filter((to) => !FRAMEWORK.test(to)));
  const uses = (packages: RegExp) => imports.some((path) => packages.test(path));
  const inOffice = [...routes].filter((route) => OFFICE.test(route)).length;
  if (inOffice === routes.size) return OFFICE_FILES.find(([packages]) => uses(packages))?.[1] ?? "office";
  if (uses(FORM_PACKAGES)) return "forms";
  const isOnDemand = (getModuleInfo(id)?.dynamicImporters ?? []).length > 0;
  // Beside "controls", which the chat's panel loads: it needs none of these.
  return inOffice > 0 && CONTROLS.test(id) && !isOnDemand ? "parts" : undefined;
}

/** Lists a module and what it leads to. */
function reached(id: string, follow: (id: string) => readonly string[] | undefined): string[] {
  const seen = new Set([id]);
  for (const module of seen) for (const next of follow(module) ?? []) seen.add(next);
  return [...seen];
}

/** Options of the browser's build. */
export const BROWSER_BUILD: BuildEnvironmentOptions = {
  // Packages in CommonJS without circular imports need no function around each module.
  commonjsOptions: { strictRequires: "auto" },
  // Four per cent smaller than esbuild's output.
  minify: "terser",
  terserOptions: {
    module: true,
    ecma: 2020,
    compress: { passes: 2, inline: 1, pure_getters: true },
    format: { comments: false },
  },
  rollupOptions: {
    // Chunks that import each other run before what they import: a fault that only browsers show.
    onwarn: (warning, warn) => {
      if (warning.code === "CIRCULAR_CHUNK") throw new Error(warning.message);
      warn(warning);
    },
    output: {
      manualChunks: pageChunks,
      // Otherwise a named file also gets what its modules import, which other files need as well.
      onlyExplicitManualChunks: true,
      // The list of routes repeats these names, and hashes do not compress. Both builds name the same files.
      hashCharacters: "hex",
      // That list has the names of pages already. Routes without a page are empty files with the same hash.
      entryFileNames: ({ exports }) =>
        exports.length > 0 ? "assets/[hash:7].js" : "assets/[name]-[hash:7].js",
      chunkFileNames: "assets/[name]-[hash:7].js",
    },
  },
};
