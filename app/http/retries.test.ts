import { describe, expect, it } from "vitest";
import { MUTATION_RETRIES, READ_RETRIES, withRetries } from "./retries";

/** Creates work that fails with these errors in turn and then succeeds, and records the waits. */
function failing(...errors: unknown[]) {
  const remaining = [...errors];
  const waited: number[] = [];
  const state = { tries: 0 };
  const work = async () => {
    state.tries++;
    if (remaining.length) throw remaining.shift();
    return "done";
  };
  const run = (waits: number[]) => withRetries(work, waits, async (ms) => void waited.push(ms));
  return { run, state, waited };
}

const broken = () => new TypeError("Failed to fetch");
const answer = (status: number) => new Response(null, { status });

describe("retries", () => {
  it("a read is retried up to 3 times, with increasing waits", async () => {
    const { run, state, waited } = failing(broken(), answer(500), answer(503));
    expect(await run(READ_RETRIES)).toBe("done");
    expect(state.tries).toBe(4);
    expect(waited).toEqual([500, 1000, 2000]);
  });

  it("a read fails after 4 attempts", async () => {
    const { run, state } = failing(broken(), broken(), broken(), broken());
    await expect(run(READ_RETRIES)).rejects.toThrow("Failed to fetch");
    expect(state.tries).toBe(4);
  });

  it("a mutation is retried once", async () => {
    const { run, state } = failing(broken(), broken());
    await expect(run(MUTATION_RETRIES)).rejects.toThrow();
    expect(state.tries).toBe(2);
  });

  it.each([400, 401, 404, 429, 303])("a response of %i is not retried", async (status) => {
    const { run, state } = failing(answer(status));
    await expect(run(READ_RETRIES)).rejects.toHaveProperty("status", status);
    expect(state.tries).toBe(1);
  });

  it("an aborted request is not retried", async () => {
    const { run, state } = failing(new DOMException("gone", "AbortError"));
    await expect(run(READ_RETRIES)).rejects.toThrow("gone");
    expect(state.tries).toBe(1);
  });
});
