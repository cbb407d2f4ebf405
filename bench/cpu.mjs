// CPU time of a process and its descendants, from Linux's /proc.
import { existsSync, readdirSync, readFileSync } from "node:fs";

/**
 * @param {number} pid
 * @returns {number | null} clock ticks so far; null where there is no /proc
 */
export function cpuOf(pid) {
  if (!existsSync("/proc/self/stat")) return null;
  const processes = new Map(numbered(readdirSync("/proc")).flatMap(statOf));
  const ticks = (id) =>
    (processes.get(id)?.ticks ?? 0) +
    [...processes].reduce((sum, [child, { parent }]) => (parent === id ? sum + ticks(child) : sum), 0);
  return ticks(pid);
}

function numbered(names) {
  return names.filter((name) => /^\d+$/.test(name));
}

/** Fields after the command's closing bracket: state, parent, … user time and system time are the 12th and 13th. */
function statOf(id) {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return [[Number(id), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]];
  } catch {
    return [];
  }
}
