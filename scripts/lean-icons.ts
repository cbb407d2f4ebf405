import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const FOLDER = join(dirname(createRequire(import.meta.url).resolve("lucide-react/package.json")), "dist/esm");
const NAMED = /import \{([^}]+)\} from "lucide-react";/g;

/**
 * Lucide's icons without what comes with them: each is imported from its own file, since lucide's index would put
 * every icon of the back office into what the shop's pages share, and drawn by app/ui/drawn-icon.ts.
 */
export function leanIcons(): Plugin {
  const files = iconFiles();
  return {
    name: "lean-icons",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (/lucide-react\/dist\/esm\/icons\//.test(id)) return { code: withOurDrawing(code), map: null };
      if (!/\/app\/.*\.tsx?$/.test(id) || !code.includes('"lucide-react"')) return undefined;
      const lean = code.replace(NAMED, (_all, names: string) => singly(names, files));
      return { code: lean, map: null };
    },
  };
}

/** Which file each icon's name stands for, as lucide's index tells. */
function iconFiles(): Map<string, string> {
  const index = readFileSync(join(FOLDER, "lucide-react.mjs"), "utf8");
  const files = new Map<string, string>();
  for (const [, names = "", file = ""] of index.matchAll(
    /export \{([^}]+)\} from '\.\/icons\/([\w-]+)\.mjs'/g,
  ))
    for (const [, name = ""] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
  return files;
}

/** The import of several icons as one import for each; types are left as they are. */
function singly(names: string, files: Map<string, string>): string {
  const all = names.split(",").flatMap((name) => name.trim() || []);
  const lines = all.map((name) => {
    const file = files.get(name);
    if (file) return `import ${name} from "lucide-react/icons/${file}";`;
    const [type = "", plain] = /^type (.*)/.test(name) ? ["type ", name.slice(5)] : ["", name];
    return `import ${type}{ ${plain} } from "lucide-react";`;
  });
  // On one line, so that the lines of what follows keep their numbers.
  return lines.join(" ");
}

/** Its keys say which shape is which in a list that changes; an icon's doesn't. */
function withOurDrawing(code: string): string {
  return code.replace("../createLucideIcon.mjs", "~/ui/drawn-icon").replace(/,\s*key: "\w+"/g, "");
}
