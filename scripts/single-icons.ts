import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const IMPORT = /import\s*\{([^}]+)\}\s*from\s*"lucide-react";/g;

/**
 * Lets each file import its icons one by one. By the package's index every icon that any page shows would hang on that
 * index, and so be sent to all of them.
 */
export function singleIcons(): Plugin {
  const index = join(dirname(fileURLToPath(import.meta.resolve("lucide-react"))), "../esm/lucide-react.mjs");
  const files = new Map<string, string>();
  for (const [, names = "", file = ""] of readFileSync(index, "utf8").matchAll(
    /export \{([^}]+)\} from '\.\/(icons\/[^']+)'/g,
  ))
    for (const [, name = ""] of names.matchAll(/default as (\w+)/g))
      files.set(name, join(dirname(index), file));
  const single = (entry: string): string => {
    const [name = "", as = name] = entry.trim().split(/\s+as\s+/);
    const file = files.get(name);
    return file ? `import ${as} from ${JSON.stringify(file)};` : `import { ${entry} } from "lucide-react";`;
  };
  return {
    name: "single-icons",
    apply: "build",
    enforce: "pre",
    transform(code, id, options) {
      if (options?.ssr || !/\/app\/.*\.tsx$/.test(id) || !code.includes("lucide-react")) return undefined;
      const split = code.replace(IMPORT, (_all, list: string) =>
        list
          .split(",")
          .map((entry) => entry.trim())
          .filter((entry) => entry !== "" && !entry.startsWith("type "))
          .map(single)
          .concat(typesIn(list))
          .join(" "),
      );
      return { code: split, map: null };
    },
  };
}

function typesIn(list: string): string[] {
  const types = list.match(/\btype (\w+)/g) ?? [];
  return types.map((type) => `import type { ${type.slice(5)} } from "lucide-react";`);
}
