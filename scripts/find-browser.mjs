// Finds Chromium for the journeys: installed, from Playwright, or from Debian's package.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { ENV } from "./local-shop.mjs";

const BROWSER_NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/**
 * @returns {Promise<string>} path of a Chromium that can be started
 * @throws {Error} when there is none and none can be installed
 */
export async function findBrowser() {
  return installed() ?? (await fromPlaywright()) ?? fromDebian() ?? fail();
}

function installed() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? "").split(":").concat("/usr/bin", "/snap/bin");
  const paths = BROWSER_NAMES.flatMap((name) => folders.map((folder) => `${folder}/${name}`));
  return [...paths, MAC].find((path) => existsSync(path));
}

async function fromPlaywright() {
  const { chromium } = await import("playwright");
  if (!existsSync(chromium.executablePath())) {
    console.log("Looking for a browser: playwright install chromium …");
    spawnSync("npx", ["playwright", "install", "chromium"], { env: ENV, stdio: "ignore", timeout: 180_000 });
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

function fromDebian() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  console.log("Looking for a browser: apt-get install chromium …");
  const options = {
    stdio: "ignore",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout: 600_000,
  };
  spawnSync("apt-get", ["update", "-qq"], options);
  spawnSync(
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-liberation"],
    options,
  );
  return installed();
}

function fail() {
  throw new Error("No Chromium was found and none could be installed. Set CHROMIUM_PATH to one.");
}
