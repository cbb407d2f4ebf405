import { expect } from "vitest";
import type { D1Most } from "../support/measured-d1";

/** Limits of the platform, Workers Paid (docs/operations.md); decimal where its documentation leaves it open. */
export const LIMITS = {
  d1: { valueBytes: 2_000_000, statementBytes: 100_000, parameters: 100, queries: 1000 },
  subrequests: 10_000,
  objectValueBytes: 2_000_000,
  objectBytes: 10_000_000_000,
  rpcBytes: 32 * 1024 * 1024,
  socketBytes: 32 * 1024 * 1024,
  isolateBytes: 128_000_000,
  imageBytes: 100_000_000,
  imagePixels: 100_000_000,
  rateLimitPeriods: [10, 60],
};

/** The local engine enforces few of them; what the code does must stay below half of each. */
export const HALF = 0.5;

const D1 = ["valueBytes", "statementBytes", "parameters", "queries"] as const;

/** Upper limits of the code, as docs/operations.md names them. */
export const STATED = {
  valueBytes: 950_000,
  statementBytes: 30_000,
  parameters: 27,
  queries: 450,
  nightSubrequests: 404,
  messageBytes: 8000,
  storedMessageBytes: 9000,
  roomAnswerBytes: 4_200_000,
  frameBytes: 16 * 1024,
};

/** Expects that an invocation asks of D1 at most what is stated. */
export function expectStated(most: D1Most): void {
  for (const name of D1) expect(most[name], `${name} of one invocation`).toBeLessThanOrEqual(STATED[name]);
}
