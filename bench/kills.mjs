// Kills the shop under load and compares what it stored with what it answered (tests/e2e/live/crash-recovery.test.ts).
import { spawnSync } from "node:child_process";
import { ENV, ROOT } from "../scripts/local-shop.mjs";

const KILLS = 10;

export function kills() {
  const test = ["test", "--project=drills", "--workers=1", "tests/e2e/live/crash-recovery.test.ts"];
  const options = { cwd: ROOT, env: { ...ENV, KILLS: String(KILLS) }, encoding: "utf8" };
  const { status, stdout } = spawnSync("playwright", test, options);
  if (status !== 0) console.error(stdout);
  const what = `messages and sales lost or duplicated in ${KILLS} kills under load`;
  return [{ what, ours: status === 0 ? "0" : "see above", budget: "0", pass: status === 0 }];
}
