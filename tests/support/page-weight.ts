import { gzipSync } from "node:zlib";

/** What a first view of a page makes a browser load; gzip bytes, each file by itself. */
export interface PageWeight {
  html: number;
  css: number;
  js: number;
  /** Path and bytes of each script, heaviest first. */
  scripts: [path: string, bytes: number][];
}

/**
 * Weighs a page: its HTML, its style sheets, its scripts with everything that these import statically. A count, not a
 * timing: also `npm run bench` prints it.
 *
 * @param address of the page on a running shop
 * @param lazy beginnings of the names of files that are loaded later and count as well
 */
export async function pageWeight(address: string, lazy: string[] = []): Promise<PageWeight> {
  const { origin } = new URL(address);
  const html = await textOf(address);
  const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path = ""]) => path);
  const files = await withImports(origin, scriptsOf(html), lazy);
  const scripts = [...files].map(([path, text]): [string, number] => [path, gzipped(text)]);
  const sheets = await Promise.all(styles.map(async (path) => gzipped(await textOf(origin + path))));
  return {
    html: gzipped(html),
    css: sheets.reduce((sum, bytes) => sum + bytes, 0),
    js: scripts.reduce((sum, [, bytes]) => sum + bytes, 0),
    scripts: scripts.sort(([, a], [, b]) => b - a),
  };
}

/** Scripts that a tag or an import of the page's own script names; a name in its data is not loaded. */
function scriptsOf(html: string): string[] {
  const named = html.matchAll(
    /(?:\bsrc=|\bhref=|\bimport\s*\(?|\bfrom\s*)["'](\/assets\/[\w./$-]+\.js)["']/g,
  );
  return [...named].map(([, path = ""]) => path);
}

async function withImports(origin: string, paths: string[], lazy: string[]): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const waiting = [...new Set(paths)];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (files.has(path)) continue;
    const text = await textOf(origin + path);
    files.set(path, text);
    for (const name of importedBy(text, lazy)) waiting.push(new URL(name, origin + path).pathname);
  }
  return files;
}

/** Static imports of a built module, and those dynamic ones that count. */
function importedBy(text: string, lazy: string[]): string[] {
  const fixed = [...text.matchAll(/(?:\bfrom|\bimport)\s*"(\.{1,2}\/[^"]+\.js)"/g)];
  const later = [...text.matchAll(/\bimport\("(\.{1,2}\/[^"]+\.js)"\)/g)];
  const counted = later.filter(([, name = ""]) => lazy.some((start) => name.startsWith(`./${start}`)));
  return [...fixed, ...counted].map(([, name = ""]) => name);
}

async function textOf(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  return answer.text();
}

function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
