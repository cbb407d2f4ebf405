import type { Plugin } from "vite";

const DATA = "@remix-run/server-runtime/dist/esm/data.js";
const ROUTER = "@remix-run/router/dist/router.js";
const HEADERS = "@remix-run/server-runtime/dist/esm/headers.js";
const REACT_ROUTER = "react-router/dist/index.js";
const COMPONENTS = "@remix-run/react/dist/esm/components.js";
const LINKS = "@remix-run/react/dist/esm/links.js";
const JSX = "react/cjs/react-jsx-runtime.production.min.js";
const SCROLL = "@remix-run/react/dist/esm/scroll-restoration.js";

interface Same {
  /** Ends of the file's path. */
  file: string;
  /** What is done each time. */
  asks: RegExp;
  /** What stands in its place. */
  answer: (asked: string, part: string) => string;
}

/** A copy of the request and two readings of its address for each loader of a page: made where they change something. */
const copiesWhatItStrips = (name: string, parameter: string): Same => ({
  file: DATA,
  asks: new RegExp(`function ${name}\\(request\\) \\{\\s*let url = new URL\\(request\\.url\\);`),
  answer: () => `function ${name}(request) {
  if (!request.url.includes("?")) return request;
  let url = new URL(request.url);
  if (!url.searchParams.has("${parameter}")) return request;`,
});

/**
 * What Remix's server does anew for each page though it comes out the same; the build fails where it is not found, for
 * then Remix has changed.
 */
const SAME_EACH_TIME: Same[] = [
  copiesWhatItStrips("stripIndexParam", "index"),
  copiesWhatItStrips("stripDataParam", "_data"),
  {
    // The routes are the same array for each page.
    file: ROUTER,
    asks: /let branches = flattenRoutes\(routes\);\s*rankRouteBranches\(branches\);/,
    answer: () => `let branches = rankedBranches.get(routes);
  if (!branches) {
    branches = flattenRoutes(routes);
    rankRouteBranches(branches);
    rankedBranches.set(routes, branches);
  }`,
  },
  {
    // What a loader answers was a text a moment ago: to read it back out of a body takes as long as to send it.
    file: ROUTER,
    asks: /return new Response\(JSON\.stringify\(data\), (_extends\(\{\}, responseInit, \{\s*headers\s*\}\))\);/,
    answer: (_asked, init) => `const text = JSON.stringify(data);
  const response = new Response(text, ${init});
  jsonTexts.set(response, text);
  return response;`,
  },
  {
    file: ROUTER,
    asks: /data = await result\.json\(\);/,
    answer: () => "data = jsonTexts.has(result) ? JSON.parse(jsonTexts.get(result)) : await result.json();",
  },
  {
    file: ROUTER,
    asks: /$/,
    answer: () =>
      "const rankedBranches = new WeakMap();\nconst jsonTexts = new WeakMap();\nconst compiledPaths = new Map();\n",
  },
  {
    // The pattern of a path is the same each time that it is tried.
    file: ROUTER,
    asks: /function compilePath\(path, caseSensitive, end\) \{/,
    answer: () => `function compilePath(path, caseSensitive, end) {
  const asked = \`\${path} \${caseSensitive} \${end}\`;
  let compiled = compiledPaths.get(asked);
  if (!compiled) compiledPaths.set(asked, (compiled = compilePathAnew(path, caseSensitive, end)));
  return compiled;
}
function compilePathAnew(path, caseSensitive, end) {`,
  },
  {
    // What the loaders ran for is what is drawn; an error's page may be another.
    file: REACT_ROUTER,
    asks: /let matches = (matchRoutes\(routes, \{\s*pathname: remainingPathname\s*\}\));/,
    answer: (_asked, anew) =>
      `let matches = dataRouterState && !dataRouterState.errors ? dataRouterState.matches : ${anew};`,
  },
  {
    // What a page links to depends on its routes alone: `links` is told nothing else.
    file: LINKS,
    asks: /function getKeyedLinksForMatches\(matches, routeModules, manifest\) \{/,
    answer: () => `function getKeyedLinksForMatches(matches, routeModules, manifest) {
  const routes = matches.map(match => match.route.id).join();
  let links = keyedLinks.get(routes);
  if (!links) keyedLinks.set(routes, (links = keyedLinksAnew(matches, routeModules, manifest)));
  return links;
}
function keyedLinksAnew(matches, routeModules, manifest) {`,
  },
  {
    file: LINKS,
    asks: /$/,
    answer: () => "const keyedLinks = new Map();\n",
  },
  {
    // No page has headers of its own making: what its loaders set goes on one list, not on a copy for each of its frames.
    file: HEADERS,
    asks: /let headers = new Headers\(parentHeaders\);/,
    answer: () => "let headers = parentHeaders;",
  },
  {
    file: HEADERS,
    asks: /let actionHeaders = context\.actionHeaders\[id\] \|\| new Headers\(\);/,
    answer: () => "let actionHeaders = context.actionHeaders[id] || NONE;",
  },
  {
    file: HEADERS,
    asks: /$/,
    answer: () => "const NONE = new Headers();\n",
  },
  {
    // Style, type and the first picture go before the scripts, which a page is read without.
    file: COMPONENTS,
    asks: /rel: "modulepreload",/g,
    answer: () => 'rel: "modulepreload", fetchpriority: "low",',
  },
  {
    // What is compiled from JSX makes an object for each element's properties. React copies it, to leave key and ref out;
    // React 19 doesn't where there are none.
    file: JSX,
    asks: /for\(b in a\)(m\.call\(a,b\)&&!p\.hasOwnProperty\(b\)&&\(d\[b\]=a\[b\]\));/,
    answer: (_asked, copy) => `if("key"in a||"ref"in a)for(b in a)${copy};else d=a;`,
  },
  {
    // A function's own text is held in two bytes a character, as the whole bundle is, and so would be every page with it:
    // twice as much to put together, to search and to encode. A text that is written out isn't.
    file: SCROLL,
    asks: /let restoreScroll = \((\([\s\S]*?\n {2}\})\)\.toString\(\);/,
    answer: (_asked, text) => `let restoreScroll = ${JSON.stringify(text.replace(/\s*\n\s*/g, " "))};`,
  },
];

/** Spares the server what it would do for each page alike (budgets: uncached SSR). The browser's half is settledFlags. */
export function leanServer(): Plugin {
  return {
    name: "lean-server",
    apply: "build",
    enforce: "pre",
    transform(code, id, options) {
      if (!options?.ssr) return undefined;
      const answers = SAME_EACH_TIME.filter(({ file }) => id.endsWith(file));
      if (answers.length === 0) return undefined;
      let lean = code;
      for (const { asks, answer } of answers) {
        if (!asks.test(lean)) this.error(`${id} no longer has ${asks}: see scripts/lean-server.ts.`);
        lean = lean.replace(asks, answer);
      }
      return { code: lean, map: null };
    },
  };
}
