// Copies the mails that wrangler dev writes to temporary folders to one place: STATE_DIR/mail/*.eml, and deletes those of
// persons whose data the shop has deleted.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, join } from "node:path";
import { backupKey } from "./local-shop.mjs";

const COPY_MS = 250;
const ASK_MS = 60_000;

/**
 * Copies mails as they are written.
 *
 * @param {string} stateDir the shop's state; its tmp/ is wrangler's temporary folder
 * @param {string} [url] of the running shop, which is asked for deleted persons
 * @returns {() => void} stops copying
 */
export function collectMail(stateDir, url) {
  const to = join(stateDir, "mail");
  mkdirSync(to, { recursive: true });
  const collect = () => {
    for (const path of mailsIn(join(stateDir, "tmp")))
      unlessGone(() => copyMail(path, join(to, basename(path))));
  };
  const seen = new Set();
  const timers = [setInterval(collect, COPY_MS)];
  if (url) {
    const ask = () => removeNewlyErased(stateDir, url, seen);
    void ask();
    timers.push(setInterval(ask, ASK_MS));
  }
  return () => {
    for (const timer of timers) clearInterval(timer);
    collect();
  };
}

function copyMail(path, target) {
  // One that grows is being written, and is copied again.
  if (existsSync(target) && statSync(target).size === statSync(path).size) return;
  copyFileSync(path, `${target}.part`);
  renameSync(`${target}.part`, target);
}

const mailsIn = (folder) =>
  (unlessGone(() => readdirSync(folder, { recursive: true })) ?? [])
    .map(String)
    .filter((name) => name.endsWith(".eml"))
    .map((name) => join(folder, name));

/** Reads what wrangler, which ends, may delete meanwhile. @returns undefined when it is gone */
function unlessGone(read) {
  try {
    return read();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  }
}

/** Asks the shop for deleted persons; a shop that does not answer is asked again. */
async function removeNewlyErased(stateDir, url, seen) {
  const headers = { Authorization: `Bearer ${backupKey(stateDir)}` };
  const answer = await fetch(`${url}/operator/erased-mails`, { headers }).catch(() => null);
  if (!answer?.ok) return;
  const traces = (await answer.json()).filter(({ id }) => !seen.has(id));
  if (traces.length > 0) removeErasedMails(stateDir, traces);
  for (const { id } of traces) seen.add(id);
}

/**
 * Deletes the mails to deleted persons, and those that link to their chats.
 *
 * @param {string} stateDir the shop's state
 * @param {{ chats: string[], addresses: string[] }[]} traces ids of chats, and SHA-256 of addresses
 * @returns {number} of deleted files
 */
export function removeErasedMails(stateDir, traces) {
  const chats = traces.flatMap((trace) => trace.chats);
  const addresses = new Set(traces.flatMap((trace) => trace.addresses));
  const isErased = (path) => {
    // Quoted-printable breaks long lines.
    const text = (unlessGone(() => readFileSync(path, "utf8")) ?? "").replace(/=\r?\n/g, "");
    const found = text.match(/[^\s<>"(),:;\\[\]]+@[^\s<>"(),:;\\[\]]+/g) ?? [];
    return chats.some((id) => text.includes(id)) || found.some((address) => addresses.has(hashOf(address)));
  };
  const erased = ["mail", "tmp"].flatMap((name) => mailsIn(join(stateDir, name))).filter(isErased);
  for (const path of erased) rmSync(path, { force: true });
  return erased.length;
}

const hashOf = (address) => createHash("sha256").update(address.toLowerCase()).digest("hex");
