import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockFolder } from "../../scripts/folder-lock.mjs";
import { ROOT } from "../../scripts/local-shop.mjs";
import { lockForRestore } from "../../scripts/operator-client.mjs";
import { runScript } from "../support/commands";

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
    expect(readFileSync(join(folder, "restoring"), "utf8")).toMatch(new RegExp(`^${process.pid}\\b`));
  });

  it.runIf(existsSync("/proc/self/stat"))("a killed one's id may be given to another process", () => {
    writeFileSync(join(folder, "restoring"), `${process.pid} 1`);
    expect(() => lockForRestore(folder)).not.toThrow();
  });
});

describe.each([
  ["start.mjs", "npm start"],
  ["dev.mjs", "npm run dev"],
])("scripts/%s", (script, command) => {
  it("refuses the folder of a running shop and names a way to run two", () => {
    expect(lockFolder(folder, "in-use")).toBe(null);
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts", script)], {
      env: { ...process.env, STATE_DIR: folder },
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`A shop is running on ${folder}.`);
    expect(stderr).toContain(`PORT=8797 STATE_DIR=.wrangler/second ${command}`);
  });
});

describe.each([
  ["check-ledger.mjs", [], 2],
  ["check-audit.mjs", [], 2],
  ["make-admin.mjs", ["ann@mail.test", "--local"], 1],
])("scripts/%s", (script, args, status) => {
  const run = () => runScript(script, args, { STATE_DIR: folder });

  it("opens no second engine on a folder in use, and says so in one sentence", async () => {
    mkdirSync(join(folder, "v3"));
    expect(lockFolder(folder, "in-use")).toBe(null);
    expect(await run()).toEqual({
      status,
      output: expect.stringMatching(/^A shop is running on \S+: stop it and run this command again .+\n$/),
    });
  });

  it("creates no shop", async () => {
    expect(await run()).toEqual({ status, output: `There is no shop in ${folder}.\n` });
    expect(existsSync(join(folder, "v3"))).toBe(false);
  });
});
