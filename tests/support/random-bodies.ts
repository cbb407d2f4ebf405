import type { z } from "zod";
import { fieldNames } from "~/http/form-fields";

/** A body and its headers, as `call` takes them. */
export interface RandomBody {
  body: BodyInit;
  headers: Record<string, string>;
}

const schemas = import.meta.glob<Record<string, unknown>>("../../app/features/**/schema.ts", { eager: true });
const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === "object" && value !== null && "_zod" in value;

/** Names of the fields that the features' schemas define. */
const NAMES = [
  ...new Set(
    Object.values(schemas).flatMap((module) => Object.values(module).filter(isSchema).flatMap(fieldNames)),
  ),
];
const HOSTILE_NAMES = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "a[999999999]",
  "a.b.c.d",
  "[0]",
  "a[",
  "__intent__",
];
const TEXTS = [
  "",
  " ",
  "x",
  "0",
  "-1",
  "1.5",
  "1e309",
  "NaN",
  "true",
  "on",
  "null",
  "2026-01-31",
  "9999-99-99",
  "12,50",
  "a@b.example",
  "Ünïcødé 👩‍🚀",
  "\u0000",
  "\ud800",
  "\u202e",
  "<script>",
  "'; DROP TABLE users; --",
  "%",
  "minio:../x",
  "https://x.example/a.png",
  "[]",
  "{}",
  '{"__proto__":{"x":1}}',
  "__proto__",
  "ADMIN",
  "x".repeat(3000),
  "\r\n\t",
];

/**
 * Makes random bodies, the same ones for the same seed.
 *
 * @param seed any whole number
 */
export function randomBodies(seed: number) {
  const random = mulberry32(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const name = (known: readonly string[]) => (below(12) === 0 ? pick(HOSTILE_NAMES) : pick(known));
  const value = (depth = 0): unknown => {
    const makers = [
      () => pick(TEXTS),
      () => pick([0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER, 12]),
      () => pick([true, false, null]),
      () => Array.from({ length: below(4) }, () => value(depth + 1)),
      () => Object.fromEntries(Array.from({ length: below(4) }, () => [name(NAMES), value(depth + 1)])),
    ];
    return pick(depth > 3 ? makers.slice(0, 3) : makers)();
  };
  const fields = (known: readonly string[]) =>
    Array.from({ length: below(8) }, () => [name(known), pick(TEXTS)] as const);
  const typed = (type: string, body: BodyInit): RandomBody => ({ body, headers: { "Content-Type": type } });
  const nested = () => `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`;
  const json = () =>
    typed(
      "application/json",
      below(20) === 0
        ? nested()
        : JSON.stringify(Object.fromEntries(Array.from({ length: below(8) }, () => [name(NAMES), value()]))),
    );
  const broken = () => typed("application/json", pick(["{", "[]", '"x"', "null", "\ufeff{}", '{"a":}']));
  const urlencoded = (known: readonly string[] = NAMES) =>
    typed("application/x-www-form-urlencoded", below(10) === 0 ? "%ff=%&=&&" : encoded(fields(known)));
  const multipart = (known: readonly string[] = NAMES): RandomBody => {
    const form = new FormData();
    for (const [each, text] of fields(known))
      form.append(each, below(4) === 0 ? new File([text], pick(TEXTS).toWellFormed()) : text);
    return below(10) === 0
      ? typed("multipart/form-data; boundary=b", `--b\r\n${pick(TEXTS)}\r\n--b`)
      : { body: form, headers: {} };
  };
  return {
    form: (known: readonly string[]) => pick([urlencoded, multipart])(known),
    call: () => pick([json, json, json, broken, urlencoded, multipart])(),
    query: () => encoded(fields(NAMES)),
  };
}

function encoded(fields: (readonly [string, string])[]): string {
  return new URLSearchParams(fields.map(([name, text]) => [name, text.toWellFormed()])).toString();
}

/** Small seeded generator of numbers from 0 to 1 (Tommy Ettinger's mulberry32, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
