import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Our own source files, as paths from the root; tests left out. */
function sources(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, String(name))),
    )
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .sort();
}

/** Paths (from the root) or package names that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const specifiers = [...text.matchAll(/^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"/gms)].map(
    (match) => match[1] ?? "",
  );
  const dynamic = [...text.matchAll(/\bimport\("([^"]+)"\)/g)].map((match) => match[1] ?? "");
  return [...specifiers, ...dynamic].map((name) => {
    if (name.startsWith("~/")) return `app/${name.slice(2)}`;
    return name.startsWith(".") ? relative(ROOT, normalize(join(ROOT, dirname(file), name))) : name;
  });
}

const isOurs = (path: string) => /^(?:app|workers|scripts|build)\//.test(path);
const domainOf = (path: string) => /^app\/features\/([^/]+)\//.exec(path)?.[1];

/** Each row of architecture.md's table: which files, and what of ours they may import. */
const RULES: { who: RegExp; may: (imported: string, importer: string) => boolean }[] = [
  {
    who: /^app\/routes\//,
    may: (path) =>
      path === "app/root" ||
      (/^app\/(?:features|layouts|http|session|ui|styles|routes)\//.test(path) && !/queries/.test(path)),
  },
  {
    who: /^app\/features\/.*(?:queries|\/queries\/).*\.server\.ts$/,
    may: (path, importer) =>
      path.startsWith("app/db/") ||
      domainOf(path) === domainOf(importer) ||
      (domainOf(path) !== undefined && /queries|categories|\/search$/.test(path)),
  },
  {
    who: /^app\/layouts\//,
    may: (path) =>
      /^app\/(?:layouts|ui|styles|http\/fields)\b/.test(path) ||
      (domainOf(path) !== undefined && !path.includes(".server")),
  },
  {
    who: /^app\/features\/.*\.server\.ts$/,
    may: (path) => /^app\/(?:features|http|session|db)\//.test(path) && !/\.tsx$/.test(path),
  },
  {
    who: /^app\/features\/.*\.tsx$/,
    may: (path, importer) =>
      /^app\/(?:ui|styles|http\/fields)\b/.test(path) ||
      (domainOf(path) !== undefined && !path.includes(".server")) ||
      domainOf(path) === domainOf(importer),
  },
  { who: /^app\/ui\//, may: (path) => /^app\/(?:ui|styles)\//.test(path) },
  { who: /^app\/http\//, may: (path) => /^app\/(?:http|session|db)\//.test(path) },
  { who: /^app\/db\//, may: (path) => path.startsWith("app/db/") },
  { who: /^workers\//, may: (path) => /^(?:workers|build|app\/(?:features|http|session))\b/.test(path) },
];

describe("who may import whom (architecture.md)", () => {
  it.each(RULES)("$who", ({ who, may }) => {
    const breaches = sources("app", "workers")
      .filter((file) => who.test(file) && RULES.find((rule) => rule.who.test(file))?.who === who)
      .flatMap((file) =>
        importsOf(file)
          .filter((path) => isOurs(path) && !may(path, file))
          .map((path) => `${file} imports ${path}`),
      );
    expect(breaches).toEqual([]);
  });

  it("only queries files write SQL", () => {
    const breaches = sources("app", "workers").filter(
      (file) =>
        !/queries|^app\/db\//.test(file) &&
        (importsOf(file).some((name) => name.startsWith("drizzle-orm")) ||
          /\.prepare\(/.test(readFileSync(join(ROOT, file), "utf8"))),
    );
    expect(breaches).toEqual([]);
  });

  it("what the browser gets imports no server file", () => {
    const breaches = sources("app")
      .filter(
        (file) =>
          !/\.server\.tsx?$|^app\/(?:routes|root|entry\.server)|^app\/(?:http|session|db)\//.test(file),
      )
      .flatMap((file) => {
        const text = readFileSync(join(ROOT, file), "utf8");
        return [...text.matchAll(/^import (?!type)[^"]*"([^"]+\.server)"/gm)].map(
          (match) => `${file} imports ${match[1]}`,
        );
      });
    expect(breaches).toEqual([]);
  });
});
