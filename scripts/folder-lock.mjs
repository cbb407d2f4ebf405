// Reserves a state folder for one process: two that write to one local database fail in the middle.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Reserves a folder for this process until it ends. The lock of a killed process is replaced.
 *
 * @param {string} stateDir
 * @param {string} name of the lock's file
 * @returns {string | null} the lock's file while another process holds it; null when it is this process's now
 */
export function lockFolder(stateDir, name) {
  const file = join(stateDir, name);
  mkdirSync(stateDir, { recursive: true });
  if (existsSync(file) && !isHeld(readFileSync(file, "utf8"))) rmSync(file, { force: true });
  try {
    writeFileSync(file, `${process.pid} ${startOf(process.pid)}`, { flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return file;
  }
  process.once("exit", () => rmSync(file, { force: true }));
  return null;
}

/** Gives up a lock of this process before it ends. */
export const unlockFolder = (stateDir, name) => rmSync(join(stateDir, name), { force: true });

/** Tests for the process that wrote a lock. @param {string} lock empty while it is being written */
function isHeld(lock) {
  const [pid, start] = lock.split(" ");
  try {
    if (Number(pid)) process.kill(Number(pid), 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return !start || start === startOf(pid);
}

/** Returns the start of a process in clock ticks since boot, as its id may be given again; "" where /proc is missing. */
function startOf(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return "";
  const [, ...fields] = readFileSync(file, "utf8").split(") ");
  const [state, ...rest] = fields.at(-1).split(" ");
  // A zombie has ended; where no init collects it, as in some containers, it stays.
  return state === "Z" ? "ended" : rest[18];
}
