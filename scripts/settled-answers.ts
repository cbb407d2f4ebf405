/** What the packages that the browser is sent ask at run time, though this build has settled it. */
export interface Settled {
  /** Ends of the file's path. */
  file: string;
  /** What asks; the build fails where it is not found, for then the package has changed. */
  asks: string | RegExp;
  answer: string;
}

const ROUTER = "@remix-run/router/dist/router.js";
const REMIX = "@remix-run/react/dist/esm/";
const PARTYSOCKET = "partysocket/dist/ws.js";

/** A function that is known to return one thing; what stood in it is never reached, and so not sent. */
const returns = (file: string, name: string, value: string): Settled => ({
  file,
  asks: new RegExp(`(function ${name}\\([^)]*\\) \\{)`),
  answer: `$1 return ${value};`,
});

/** Loaders answer with what is there (contract: pages are sent whole): nothing is deferred. */
const NOTHING_DEFERRED: Settled[] = [
  returns(ROUTER, "isDeferredResult", "false"),
  returns(ROUTER, "isDeferredData", "false"),
  returns(ROUTER, "resolveNavigationDeferredResults", "undefined"),
  returns(ROUTER, "resolveFetcherDeferredResults", "undefined"),
  returns(ROUTER, "cancelActiveDeferreds", "[]"),
  { file: ROUTER, asks: "_internalActiveDeferreds: activeDeferreds,", answer: "" },
  returns(`${REMIX}data.js`, "isDeferredResponse", "false"),
  returns(`${REMIX}data.js`, "isDeferredData", "false"),
  { file: `${REMIX}components.js`, asks: "__remixContext.a)", answer: "false)" },
];

/** The browser knows every route from the start (v3_lazyRouteDiscovery is off). */
const ALL_ROUTES_KNOWN: Settled[] = [
  returns(ROUTER, "checkFogOfWar", "{ active: false, matches: null }"),
  returns(ROUTER, "discoverRoutes", '{ type: "success", matches }'),
  { file: ROUTER, asks: "= init.patchRoutesOnNavigation;", answer: "= undefined;" },
  { file: ROUTER, asks: /\bpatchRoutes,\n/, answer: "" },
  { file: ROUTER, asks: /\b_internalSetRoutes\n/, answer: "" },
];

/** What is said to who develops a router's routes: nobody reads it in a shop. */
const NOBODY_TO_WARN: Settled[] = [
  returns(ROUTER, "warning", "undefined"),
  {
    file: ROUTER,
    asks: "function invariant(value, message) {",
    answer: "function invariant(value) { const message = undefined;",
  },
  { file: `${REMIX}components.js`, asks: /^\w+\.displayName = .*;$/gm, answer: "" },
  { file: PARTYSOCKET, asks: /\bthis\._debug\([^;]*\);/g, answer: ";" },
  { file: PARTYSOCKET, asks: /console\.warn\(\s*"[^"]*"\s*\);/, answer: ";" },
];

/** It runs in a browser, on pages that a server rendered, and is not developed there. */
const IN_A_BROWSER: Settled[] = [
  {
    file: `${REMIX}components.js`,
    asks: /let \{\s*router,\s*static: isStatic,\s*staticContext\s*\} = useDataRouterContext\(\);/,
    answer: "const isStatic = false, staticContext = null;",
  },
  { file: `${REMIX}components.js`, asks: /typeof document === "undefined"/g, answer: "false" },
  ...["components.js", "routes.js", "scroll-restoration.js"].map((name) => ({
    file: REMIX + name,
    asks: /\bisSpaMode(?= (?:&&|\|\||\?))|(?<=if \()isSpaMode(?=\))/g,
    answer: "false",
  })),
  { file: `${REMIX}routes.js`, asks: "needsRevalidation == null &&", answer: "true &&" },
  { file: `${REMIX}routes.js`, asks: "if (needsRevalidation)", answer: "if (false)" },
  // Root has its own error boundary, and no loader of its own runs before the first drawing.
  {
    file: `${REMIX}routes.js`,
    asks: 'route.id === "root" ? RemixRootDefaultHydrateFallback : undefined',
    answer: "undefined",
  },
  {
    file: `${REMIX}routes.js`,
    asks: /route\.id === "root" \? \(\) =>[^:]*error: useRouteError\(\)\s*\}\) : undefined/,
    answer: "undefined",
  },
  { file: ROUTER, asks: "const isServer = !isBrowser;", answer: "const isServer = false;" },
  { file: PARTYSOCKET, asks: /if \(!globalThis\.EventTarget[\s\S]*?`\);/, answer: "" },
  { file: PARTYSOCKET, asks: /const isNode =[^;]*;/, answer: "const isNode = false;" },
  { file: PARTYSOCKET, asks: /const isReactNative =[^;]*;/, answer: "const isReactNative = false;" },
  { file: PARTYSOCKET, asks: 'typeof WebSocket === "undefined"', answer: "false" },
];

/** A method of a class that nobody calls. */
const unasked = (name: string): Settled => ({
  file: PARTYSOCKET,
  asks: new RegExp(`\\n {2}${name}\\([^)]*\\) \\{[\\s\\S]*?\\n {2}\\}`),
  answer: "",
});

/**
 * What a WebSocket has and the chat's line doesn't use (features/chat/live.ts): it has one address, no sub-protocol, and
 * sends while it is open alone.
 */
const NOBODY_TO_ASK: Settled[] = [
  ...["retryCount", "bufferedAmount", "extensions", "protocol", "url", "shouldReconnect"].map((name) =>
    unasked(`get ${name}`),
  ),
  ...["get binaryType", "set binaryType", "drainQueuedMessages", "_debug"].map(unasked),
  { file: PARTYSOCKET, asks: /_debugLogger = [^;]*;/, answer: "" },
  { file: PARTYSOCKET, asks: /if \(this\._options\.debugLogger\)[^;]*;/, answer: "" },
  { file: PARTYSOCKET, asks: /this\._options\.startClosed/g, answer: "false" },
  {
    file: PARTYSOCKET,
    asks: "_getNextProtocols(protocolsProvider) {",
    answer: "_getNextProtocols() { return null;",
  },
  { file: PARTYSOCKET, asks: "send(data) {", answer: "send(data) { return this._ws.send(data);" },
  { file: PARTYSOCKET, asks: /this\._messageQueue\.forEach\([\s\S]*?\}\);/, answer: "" },
  { file: PARTYSOCKET, asks: /\b(?:this\.)?_messageQueue = \[\];/g, answer: "" },
  { file: PARTYSOCKET, asks: /\b(?:this\.)?_didWarnAboutClosedSend = false;/g, answer: "" },
];

/** How Remix sets up its router (@remix-run/react, browser.js). */
const ROUTER_FLAGS: Settled[] = Object.entries({
  v7_fetcherPersist: true,
  v7_normalizeFormMethod: true,
  v7_partialHydration: true,
  v7_prependBasename: true,
  v7_relativeSplatPath: true,
  v7_skipActionErrorRevalidation: false,
}).map(([flag, on]) => ({
  file: ROUTER,
  asks: new RegExp(`\\bfuture\\.${flag}\\b`, "g"),
  answer: String(on),
}));

export const SETTLED: Settled[] = [
  ...NOTHING_DEFERRED,
  ...ALL_ROUTES_KNOWN,
  ...NOBODY_TO_WARN,
  ...IN_A_BROWSER,
  ...NOBODY_TO_ASK,
  ...ROUTER_FLAGS,
];
