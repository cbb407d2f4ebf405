import { describe, expect, it } from "vitest";
import { MUTATION_RETRIES, READ_RETRIES, withRetries } from "./retries";

/** Work that fails with these, one after the other, and then succeeds; and how long was waited between. */
function failing(...errors: unknown[]) {
  const left = [...errors];
  const waited: number[] = [];
  const state = { tries: 0 };
  const work = async () => {
    state.tries++;
    if (left.length) throw left.shift();
    return "done";
  };
  const run = (waits: number[]) => withRetries(work, waits, async (ms) => void waited.push(ms));
  return { run, state, waited };
}

const broken = () => new TypeError("Failed to fetch");
const answer = (status: number) => new Response(null, { status });

describe("what is tried again (spec 9, query cache)", () => {
  it("a read is repeated up to 3 times, with longer and longer waits", async () => {
    const { run, state, waited } = failing(broken(), answer(500), answer(503));
    expect(await run(READ_RETRIES)).toBe("done");
    expect(state.tries).toBe(4);
    expect(waited).toEqual([500, 1000, 2000]);
  });

  it("a read that fails 4 times has failed", async () => {
    const { run, state } = failing(broken(), broken(), broken(), broken());
    await expect(run(READ_RETRIES)).rejects.toThrow("Failed to fetch");
    expect(state.tries).toBe(4);
  });

  it("a mutation is repeated once", async () => {
    const { run, state } = failing(broken(), broken());
    await expect(run(MUTATION_RETRIES)).rejects.toThrow();
    expect(state.tries).toBe(2);
  });

  it.each([400, 401, 404, 429, 303])("an answer of %i is not asked for again", async (status) => {
    const { run, state } = failing(answer(status));
    await expect(run(READ_RETRIES)).rejects.toHaveProperty("status", status);
    expect(state.tries).toBe(1);
  });

  it("what the reader has left behind is not asked for again", async () => {
    const { run, state } = failing(new DOMException("gone", "AbortError"));
    await expect(run(READ_RETRIES)).rejects.toThrow("gone");
    expect(state.tries).toBe(1);
  });
});
