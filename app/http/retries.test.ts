import { describe, expect, it } from "vitest";
import { MUTATION_RETRIES, READ_RETRIES, withRetries } from "./retries";

/** Creates work that throws these errors in turn and then succeeds, and records its attempts and waits. */
function failingWith(...errors: unknown[]) {
  const remaining = [...errors];
  const waits: number[] = [];
  const state = { attempts: 0 };
  const work = async () => {
    state.attempts++;
    if (remaining.length) throw remaining.shift();
    return "done";
  };
  const wait = async (ms: number) => {
    waits.push(ms);
  };
  const run = (delays: number[]) => withRetries(work, delays, wait);
  return { run, state, waits };
}

const networkError = () => new TypeError("Failed to fetch");
const answer = (status: number) => new Response(null, { status });

describe("retries", () => {
  it("a read is retried up to 3 times, with increasing waits", async () => {
    const { run, state, waits } = failingWith(networkError(), answer(500), answer(503));
    expect(await run(READ_RETRIES)).toBe("done");
    expect(state.attempts).toBe(4);
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it("a read fails after 4 attempts", async () => {
    const { run, state } = failingWith(networkError(), networkError(), networkError(), networkError());
    await expect(run(READ_RETRIES)).rejects.toThrow("Failed to fetch");
    expect(state.attempts).toBe(4);
  });

  it("a mutation fails after 2 attempts", async () => {
    const { run, state } = failingWith(networkError(), networkError());
    await expect(run(MUTATION_RETRIES)).rejects.toThrow();
    expect(state.attempts).toBe(2);
  });

  it.each([400, 401, 404, 429, 303])("a response of %i is not retried", async (status) => {
    const { run, state } = failingWith(answer(status));
    await expect(run(READ_RETRIES)).rejects.toHaveProperty("status", status);
    expect(state.attempts).toBe(1);
  });

  it("an aborted request is not retried", async () => {
    const { run, state } = failingWith(new DOMException("gone", "AbortError"));
    await expect(run(READ_RETRIES)).rejects.toThrow("gone");
    expect(state.attempts).toBe(1);
  });
});
