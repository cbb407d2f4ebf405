// npm run bench [section …]: installs what is missing, builds, then measures. Sections: see measure.mjs.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, ENV, install, ROOT } from "../scripts/local-shop.mjs";

const BENCH = join(ROOT, "bench");

install();
installPeers();
build();
const measuring = ["--disable-warning=ExperimentalWarning", join(BENCH, "measure.mjs")];
const { status } = spawnSync("node", [...measuring, ...process.argv.slice(2)], {
  cwd: ROOT,
  env: ENV,
  stdio: "inherit",
});
process.exit(status ?? 1);

/** Installs bench/'s own packages, unless they match its lock file. */
function installPeers() {
  const lock = readFileSync(join(BENCH, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex");
  const stamp = join(BENCH, "node_modules", ".installed-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  console.log("Installing what the bench measures with …");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: BENCH, env: ENV, stdio: "inherit" });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
  writeFileSync(stamp, hash);
}
