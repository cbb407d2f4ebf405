// Client of the paths for operators of a shop (workers/operator.ts), for scripts/backup.mjs.
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { lockFolder, unlockFolder } from "./folder-lock.mjs";
import {
  backupKey,
  build,
  createDatabase,
  prepare,
  ROOT,
  requireFolder,
  serve,
  stateDirectory,
} from "./local-shop.mjs";

/** Attempts per request: each may be repeated. */
const ATTEMPTS = 3;

/** Opens the deployed shop. */
export async function remoteShop() {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const url = process.env.SHOP_URL || readConfig({ config: join(ROOT, "wrangler.toml") }).vars.SHOP_URL;
  const key = process.env.BACKUP_KEY;
  if (!key) throw new Error("Set BACKUP_KEY to the deployed shop's secret of that name.");
  return client(url, key, async () => {});
}

/**
 * Opens the shop in a state folder: the one that is being served, or one that is served for the while.
 *
 * @param {string | undefined} folder STATE_DIR by default
 * @param {{ isNew: boolean, migrations?: number }} options `isNew` creates an empty shop in a new folder; `migrations`: number
 *   of the first ones that it gets, all by default
 */
export async function localShop(folder, { isNew, migrations }) {
  const stateDir = folder ? resolve(folder) : stateDirectory();
  if (!isNew && !existsSync(join(stateDir, "v3"))) throw new Error(`There is no shop in ${stateDir}.`);
  if (isNew) lockForRestore(stateDir);
  const running = await runningShop(stateDir);
  if (running) return running;
  requireFolder(stateDir, "the command");
  build();
  if (migrations !== undefined) createDatabase(stateDir, migrations);
  else if (isNew) prepare(stateDir, { seed: false });
  const port = await freePort();
  const { child, ready } = serve({ port, stateDir });
  await ready;
  return client(`http://localhost:${port}`, backupKey(stateDir), async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
    unlockFolder(stateDir, "in-use");
  });
}

/**
 * Reserves a state folder for this process until it ends: two that migrate one database fail in the middle.
 *
 * @throws Error while another process restores into it
 */
export function lockForRestore(stateDir) {
  const file = lockFolder(stateDir, "restoring");
  if (file) throw new Error(`Another restore into ${stateDir} is under way. If it is not, delete ${file}.`);
}

/** Finds the shop that serves the folder: it knows the folder's key. */
export async function runningShop(stateDir) {
  const file = join(stateDir, "address");
  if (!existsSync(file)) return null;
  const shop = client(readFileSync(file, "utf8"), backupKey(stateDir), async () => {});
  return shop.json("GET", "backups").then(
    () => shop,
    () => null,
  );
}

function client(url, key, close) {
  // An answer that breaks off while it is read is asked for again as well.
  const read = async (content, method, path, body, attempt = 1) => {
    try {
      const answer = await fetch(`${url}/operator/${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}` },
        body,
      });
      if (answer.ok) return await content(answer);
      throw Object.assign(new Error(await messageOf(answer)), { isFinal: answer.status < 500 });
    } catch (error) {
      if (error.isFinal || attempt === ATTEMPTS) throw error;
      return read(content, method, path, body, attempt + 1);
    }
  };
  return { read, json: (...request) => read((answer) => answer.json(), ...request), close };
}

async function messageOf(answer) {
  if (answer.status === 404)
    return "The shop does not know this key (BACKUP_KEY), or is of an older version.";
  const { message = `HTTP ${answer.status}`, reference } = await answer.json().catch(() => ({}));
  return reference ? `${message} (reference ${reference} in the log)` : message;
}

function freePort() {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
