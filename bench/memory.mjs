// Memory of a process and its descendants, from Linux's /proc.
import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * @param {number} pid
 * @returns {number | null} kB of the largest process of the tree (workerd or Node);
 *   null where there is no /proc
 */
export function largestOf(pid) {
  if (!existsSync("/proc/self/status")) return null;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => field(id, "PPid") === pid);
  return Math.max(field(pid, "VmRSS"), ...children.map((id) => largestOf(Number(id)) ?? 0));
}

function field(pid, name) {
  try {
    const [, value] =
      new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(value ?? 0);
  } catch {
    return 0;
  }
}
