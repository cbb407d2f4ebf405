import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { seededRandom } from "../../../scripts/seed/random";
import type { Scheduler } from "./scheduler";

type Bytes = ArrayBuffer | ArrayBufferView;

const bufferOf = (bytes: Bytes): Buffer =>
  bytes instanceof ArrayBuffer
    ? Buffer.from(bytes)
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const arrayBufferOf = (buffer: Buffer) => Uint8Array.from(buffer).buffer;
const hashName = (algorithm: string | { name: string }) =>
  (typeof algorithm === "string" ? algorithm : algorithm.name).replace("-", "").toLowerCase();

/** Web Crypto whose answers come in the same turn: those of Node come from threads, in any order. */
const subtle = {
  digest: async (algorithm: string | { name: string }, data: Bytes) =>
    arrayBufferOf(createHash(hashName(algorithm)).update(bufferOf(data)).digest()),
  importKey: async (_format: string, key: Bytes, algorithm: { hash: string | { name: string } }) => ({
    key: bufferOf(key),
    hash: hashName(algorithm.hash),
  }),
  sign: async (_: unknown, { key, hash }: { key: Buffer; hash: string }, data: Bytes) =>
    arrayBufferOf(createHmac(hash, key).update(bufferOf(data)).digest()),
  verify: async (_: unknown, key: { key: Buffer; hash: string }, signature: Bytes, data: Bytes) => {
    const expected = Buffer.from(await subtle.sign(_, key, data));
    const given = bufferOf(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  },
};

function randomCrypto(random: () => number) {
  const getRandomValues = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
    return bytes;
  };
  const randomUUID = () => {
    const hex = Buffer.from(getRandomValues(new Uint8Array(16))).toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return { getRandomValues, randomUUID, subtle };
}

/** Builds the class of dates that knows the simulation's time. */
function dateOf(scheduler: Scheduler): DateConstructor {
  return class extends Date {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [scheduler.now] : given) as [number]));
    }
    static override now(): number {
      return Math.floor(scheduler.now);
    }
  } as unknown as DateConstructor;
}

/** Globals of workerd that Node lacks, and that the objects look at. */
const WORKERD = {
  WebSocketRequestResponsePair: class {},
  caches: { default: { match: async () => undefined, put: async () => {}, delete: async () => false } },
};

/**
 * Replaces clock, timers, random numbers, Web Crypto, logs and `fetch` by those of the simulation.
 *
 * @param fetch answers requests to other servers
 * @returns puts everything back
 */
export function installGlobals(
  scheduler: Scheduler,
  seed: number,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): () => void {
  const random = seededRandom(seed);
  const silent = () => {};
  const replaced: [object: object, name: string, value: unknown][] = [
    ...Object.entries(WORKERD).map(([name, value]): [object, string, unknown] => [globalThis, name, value]),
    [globalThis, "Date", dateOf(scheduler)],
    [globalThis, "setTimeout", (run: () => void, ms?: number) => scheduler.setTimer(run, ms)],
    [globalThis, "clearTimeout", (id: unknown) => scheduler.clearTimer(id)],
    [globalThis, "scheduler", { wait: (ms: number) => scheduler.wait(ms) }],
    [globalThis, "crypto", randomCrypto(random)],
    [globalThis, "fetch", fetch],
    [globalThis.Math, "random", random],
    [globalThis.performance, "now", () => scheduler.now],
    [console, "warn", silent],
    [console, "error", silent],
    [console, "log", silent],
    [console, "info", silent],
  ];
  const before = replaced.map(([object, name]) => Object.getOwnPropertyDescriptor(object, name));
  for (const [object, name, value] of replaced)
    Object.defineProperty(object, name, { value, writable: true, configurable: true });
  return () => {
    for (const [at, [object, name]] of replaced.entries()) {
      const descriptor = before[at];
      if (descriptor) Object.defineProperty(object, name, descriptor);
      else Reflect.deleteProperty(object, name);
    }
  };
}
