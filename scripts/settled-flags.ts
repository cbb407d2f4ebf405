import type { Plugin } from "vite";
import { SETTLED } from "./settled-answers";

/**
 * Remix and partysocket ask in the browser what the build has settled: which future flags are on, whether this is a
 * server, whether anything is deferred. This writes the answers into their code, so that what never runs isn't sent.
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
      if (options?.ssr) return undefined;
      const isRemix = /@remix-run\/react\/dist\/esm\//.test(id);
      const answers = SETTLED.filter(({ file }) => id.endsWith(file));
      if (!isRemix && answers.length === 0) return undefined;
      let settled = code;
      for (const { asks, answer } of answers) {
        const next = settled.replace(asks, answer);
        if (next === settled) this.error(`${id} no longer asks ${asks}: see scripts/settled-answers.ts.`);
        settled = next;
      }
      if (isRemix) {
        settled = settled
          .replace(asked, (_all, flag: string) => String(future[flag]))
          .replace(/\bwindow\.__remixContext\.isSpaMode\b/g, "false");
      }
      return { code: settled, map: null };
    },
  };
}
