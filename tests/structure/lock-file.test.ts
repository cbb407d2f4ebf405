import { describe, expect, it } from "vitest";
import { read } from "./sources";

interface LockedPackage {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

describe.each(["package-lock.json", "bench/package-lock.json"])("%s", (file) => {
  const text = read(file);
  const packages = (JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages;

  it("names no registry", () => {
    expect(text, "The lock file names no registry: remove the resolved fields").not.toMatch(
      /"resolved"|https?:\/\/[^"]*registry/,
    );
  });

  it("names what other machines need, so that `npm ci` works on each of them", () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !lookUp(path, name)),
    );
    expect(missing, "The lock file lists the optional packages of every platform").toEqual([]);
  });

  /** Finds a package from where it is asked for upwards, as Node does. */
  function lookUp(path: string, name: string): boolean {
    if (packages[`${path ? `${path}/` : ""}node_modules/${name}`]) return true;
    return path !== "" && lookUp(path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name);
  }
});
