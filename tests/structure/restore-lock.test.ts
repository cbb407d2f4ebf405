import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockForRestore } from "../../scripts/operator-client.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emporia-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("two restores into one folder", () => {
  it("the second ends with one sentence before it changes anything", () => {
    lockForRestore(join(folder, "new"));
    expect(() => lockForRestore(join(folder, "new"))).toThrow(/^Another restore into .+ is under way\./);
    expect(() => lockForRestore(join(folder, "other"))).not.toThrow();
  });

  it("a killed one leaves no lock", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(join(folder, "restoring"), String(pid));
    lockForRestore(folder);
    expect(readFileSync(join(folder, "restoring"), "utf8")).toBe(String(process.pid));
  });
});
