// Finds the browsers of the journeys: installed, from Playwright, or from Debian's packages.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ENV } from "./local-shop.mjs";

const BROWSER_NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/** The same engine without a browser's window, at half the processor time; it displays no notifications. */
const SHELL_NAMES = ["chromium-headless-shell", "chrome-headless-shell"];

/**
 * Finds both browsers of the journeys.
 *
 * @returns {Promise<{ CHROMIUM_PATH: string, HEADLESS_SHELL_PATH: string }>} environment variables, which are also
 *   honoured; Chromium itself takes the place of a headless shell that is missing
 */
export async function findBrowsers() {
  const { CHROMIUM_PATH, HEADLESS_SHELL_PATH } = process.env;
  const chosen = HEADLESS_SHELL_PATH || CHROMIUM_PATH;
  const shell =
    chosen || installed(SHELL_NAMES) || fromDebian("chromium-headless-shell", SHELL_NAMES, 90_000);
  const browser = await findBrowser();
  return { CHROMIUM_PATH: browser, HEADLESS_SHELL_PATH: shell || browser };
}

/**
 * @returns {Promise<string>} path of a Chromium that can be started
 * @throws {Error} when there is none and none can be installed
 */
export async function findBrowser() {
  const found = process.env.CHROMIUM_PATH || installed(BROWSER_NAMES);
  return found || (await fromPlaywright()) || fromDebian("chromium", BROWSER_NAMES) || fail();
}

function installed(names) {
  const folders = (process.env.PATH ?? "").split(":").concat("/usr/bin", "/snap/bin");
  const paths = names.flatMap((name) => folders.map((folder) => resolve(folder, name)));
  return paths.find((path) => existsSync(path));
}

async function fromPlaywright() {
  const { chromium } = await import("playwright");
  if (!existsSync(chromium.executablePath())) {
    console.log("Looking for a browser: playwright install chromium …");
    spawnSync("npx", ["playwright", "install", "chromium"], { env: ENV, stdio: "ignore", timeout: 180_000 });
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

/** @param timeout of each step in milliseconds */
function fromDebian(name, names, timeout = 600_000) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  console.log(`Looking for a browser: apt-get install ${name} …`);
  const options = {
    stdio: "ignore",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    timeout,
  };
  spawnSync("apt-get", ["update", "-qq"], options);
  spawnSync(
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", name, "fonts-liberation"],
    options,
  );
  return installed(names);
}

function fail() {
  throw new Error("No Chromium was found and none could be installed. Set CHROMIUM_PATH to one.");
}
