import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, expectAccessible, test } from "../../support/browser";
import { runScript } from "../../support/commands";
import { asStaff } from "../../support/staff";

const run = (...args: string[]) => runScript("backup.mjs", args);

test("a served shop is backed up; a damaged archive and a shop with data are refused", async ({
  open,
  shop,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "emporia-backup-"));
  const [file, damaged] = [join(folder, "shop.tar"), join(folder, "damaged.tar")];
  const here = ["--state", shop.stateDir];
  expect(await run("backup", ...here, file)).toMatchObject({
    status: 0,
    output: expect.stringMatching(/^[\d,]+ rows, \d+ chats, \d+ files, written to/),
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
