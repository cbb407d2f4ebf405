import { lstatSync } from "node:fs";
import { join } from "node:path";
import { vitePlugin as remix } from "@remix-run/dev";
import { loadConfigFromFile, type Plugin, type PluginOption, type UserConfig } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import remixOptions from "../../remix.config.js";
import { ROOT, read } from "./sources";

/** Packages that the browser and the Worker run. */
const PACKAGES = [
  "react",
  "react-dom",
  "scheduler",
  "react-router",
  "react-router-dom",
  "@remix-run/react",
  "@remix-run/router",
  "@remix-run/cloudflare",
  "@remix-run/server-runtime",
  "partysocket",
];
/** Hooks that can put something else in a module's place, or change what the build writes. */
const REWRITING_HOOKS = [
  "config",
  "configEnvironment",
  "configResolved",
  "options",
  "moduleParsed",
  "outputOptions",
  "resolveId",
  "load",
  "transform",
  "transformIndexHtml",
  "renderChunk",
  "augmentChunkHash",
  "generateBundle",
  "writeBundle",
  "closeBundle",
] as const;

const readJson = (path: string) => JSON.parse(read(path));

async function flat(option: PluginOption): Promise<Plugin[]> {
  const value = await option;
  if (Array.isArray(value)) return (await Promise.all(value.map(flat))).flat();
  return value ? [value] : [];
}

describe.each(PACKAGES)("%s is the package that its authors published", (name) => {
  const path = `node_modules/${name}`;

  it("matches the lock file in version and integrity", () => {
    const locked = readJson("package-lock.json").packages[path];
    expect(lstatSync(join(ROOT, path)).isSymbolicLink()).toBe(false);
    expect(locked).toMatchObject({ version: readJson(`${path}/package.json`).version });
    expect(locked.integrity).toMatch(/^sha512-/);
    expect(locked.link).toBeUndefined();
  });
});

describe.each(["browser", "server"])("the build for the %s takes packages as they are", (target) => {
  let config: UserConfig;
  let own: Plugin[];

  beforeAll(async () => {
    const env = { command: "build", mode: "production", isSsrBuild: target === "server" } as const;
    config = (await loadConfigFromFile(env, "vite.config.ts", ROOT))?.config ?? {};
    const ofRemix = (await flat(remix(remixOptions))).map(({ name }) => name);
    // Each of Remix's names counts once, so that no other plugin passes under one of them.
    own = (await flat(config.plugins))
      .filter(({ name }) => !ofRemix.includes(name) || !ofRemix.splice(ofRemix.indexOf(name), 1))
      .filter(({ apply }) => apply !== "serve");
  });

  it("has no plugin of this project that replaces modules or changes the output", () => {
    expect(own.map(({ name }) => name)).toEqual(["icon-sprite"]);
    const found = own.flatMap((plugin) =>
      REWRITING_HOOKS.filter((hook) => plugin[hook]).map((hook) => `${plugin.name}: ${hook}`),
    );
    expect(found).toEqual([]);
  });

  it("has aliases of its own modules alone", () => {
    expect(Object.keys(config.resolve?.alias ?? {})).toEqual(["~/domain/currency", "~"]);
  });

  it("replaces nothing by text and adds no second pipeline", () => {
    const { plugins, output = {} } = config.build?.rollupOptions ?? {};
    expect(plugins).toBeUndefined();
    for (const one of [output].flat()) {
      const keys = ["plugins", "banner", "footer", "intro", "outro"] as const;
      expect(keys.filter((key) => one[key])).toEqual([]);
    }
    expect(config.define).toBeUndefined();
    expect(config.esbuild).toEqual({ legalComments: "none" });
    expect(config.worker).toBeUndefined();
  });
});

it("wrangler and npm leave packages as they are", () => {
  expect(read("wrangler.toml")).not.toMatch(/\balias\b|^\[define\]|^define\b/m);
  const { scripts } = readJson("package.json");
  const hooks = ["preinstall", "install", "postinstall", "prepare", "prebuild", "postbuild"];
  expect(hooks.filter((name) => scripts[name])).toEqual([]);
  expect(scripts.build).toBe("remix vite:build");
});
