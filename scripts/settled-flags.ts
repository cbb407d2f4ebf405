import type { Plugin } from "vite";

/**
 * Remix asks in the browser which future flags are on, though the build has settled that. This writes the answers
 * into its code, so that what never runs (single fetch, lazy route discovery, SPA mode) isn't sent.
 *
 * @param future the flags of remix.config.js
 */
export function settledFlags(future: Record<string, boolean>): Plugin {
  const asked = new RegExp(`\\b(?:\\w+\\.)*future\\.(${Object.keys(future).join("|")})\\b`, "g");
  return {
    name: "settled-flags",
    apply: "build",
    enforce: "pre",
    transform(code, id, options) {
      if (options?.ssr || !/@remix-run\/react\/dist\/esm\//.test(id)) return undefined;
      const settled = code
        .replace(asked, (_all, flag: string) => String(future[flag]))
        .replace(/\bwindow\.__remixContext\.isSpaMode\b/g, "false");
      return { code: settled, map: null };
    },
  };
}
