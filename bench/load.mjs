// Requests per second of two servers, measured in turn, because the load of the machine varies.
import autocannon from "autocannon";
import { cpuOf } from "./cpu.mjs";

const CONNECTIONS = 10;
const WARM_SECONDS = 2;

/**
 * Loads two addresses in turn.
 *
 * @param {{ url: string, pid: number, headers?: Record<string, string> }} ours
 * @param {{ url: string, pid: number }} reference
 * @param {{ rounds: number, seconds: number }} bounds
 * @returns {Promise<{ ours: number, reference: number, ratio: number, spread: [number, number], cpuRatio: number | null }>}
 *   medians: requests/s of both, of the rounds' ratios; the smallest and largest ratio; CPU time per request of the
 *   reference divided by ours, null without /proc (other load hardly affects it)
 */
export async function compare(ours, reference, { rounds, seconds }) {
  for (const target of [ours, reference]) await load(target, WARM_SECONDS);
  const pairs = [];
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 ? [reference, ours] : [ours, reference];
    const [first, second] = [await load(order[0], seconds), await load(order[1], seconds)];
    pairs.push(round % 2 ? { ours: second, reference: first } : { ours: first, reference: second });
  }
  const ratios = pairs.map((pair) => pair.ours.rate / pair.reference.rate);
  const cpuRatios = pairs.map((pair) => (pair.reference.cpu ?? 0) / (pair.ours.cpu ?? 0));
  return {
    ours: median(pairs.map((pair) => pair.ours.rate)),
    reference: median(pairs.map((pair) => pair.reference.rate)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    cpuRatio: pairs[0]?.ours.cpu === null ? null : median(cpuRatios),
  };
}

async function load({ url, pid, headers = {} }, seconds) {
  const before = cpuOf(pid);
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds });
  const answered = result["2xx"];
  if (result.non2xx || result.errors || !answered)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { rate: answered / result.duration, cpu: before === null ? null : (cpuOf(pid) - before) / answered };
}

/** @param {number[]} values at least one */
export function median(values) {
  return quantile(values, 0.5);
}

/**
 * @param {number[]} values at least one
 * @param {number} share of the values that are at most the answer
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
