import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENV, ROOT } from "../../../scripts/local-shop.mjs";
import { expect, expectAccessible, test } from "../../support/browser";
import { asStaff } from "../../support/staff";

/** Runs a command of scripts/backup.mjs. @returns what it prints, and its status */
async function run(...args: string[]): Promise<{ status: number; output: string }> {
  const child = spawn("node", [join(ROOT, "scripts/backup.mjs"), ...args], { env: ENV as NodeJS.ProcessEnv });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const [status] = await once(child, "close");
  return { status, output };
}

test("a served shop is backed up; a damaged archive and a shop with data are refused", async ({
  open,
  shop,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "emporia-backup-"));
  const [file, damaged] = [join(folder, "shop.tar"), join(folder, "damaged.tar")];
  const here = ["--state", shop.stateDir];
  expect(await run("backup", ...here, file)).toMatchObject({
    status: 0,
    output: expect.stringMatching(/^\d+ rows, \d+ chats, \d+ files, written to/),
  });
  const bytes = readFileSync(file);
  bytes.writeUInt8(bytes.readUInt8(100_000) ^ 1, 100_000);
  writeFileSync(damaged, bytes);
  expect(await run("restore", ...here, damaged)).toMatchObject({
    status: 1,
    output: "The archive is damaged.\n",
  });
  writeFileSync(damaged, bytes.subarray(0, bytes.length / 2));
  expect((await run("restore", ...here, damaged)).output).toContain("truncated");
  expect((await run("restore", ...here, file)).output).toContain("The shop is not empty");
  const page = await asStaff(open, "admin", "/admin/health");
  await expect(page.getByRole("row", { name: /manual .* MB/ }).first()).toContainText(/rows, \d+ chats/);
  rmSync(folder, { recursive: true });
});

test("health without axe violations", async ({ open }) => {
  const page = await asStaff(open, "admin", "/admin/health");
  await expect(page.getByText("5 of 5")).toBeVisible();
  await expectAccessible(page);
});
