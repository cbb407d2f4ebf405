import { COMMANDS, migrations, runHistory, sampleHistories, World } from "simulation-under-test";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../scripts/seed/random";
import type { Result, Step } from "./history";
import type { Outcome } from "./runtime/scheduler";

/** Histories of `npm test`, and their seed: another one is for `npm run test:simulation`. */
const HISTORIES = 200;
const SEED = 36;
const world = new World(migrations);
const sample = (runs: number) => sampleHistories(runs, SEED);
const told = ({ violation, trace }: Result) =>
  violation && `${violation.message}\n${trace.slice(-40).join("\n")}`;

/** Acts that must be acknowledged in some of the histories: an invariant of others would hold of nothing. */
const ACTS = (
  "open message hold quote sale mail credit correction deposit customer decision release merge import undo other".split(
    " ",
  ) as string[]
).concat(["hold of a unit", "sale of a unit", "correction of a unit", "import of a unit"]);

it(`violates no invariant in ${HISTORIES} histories`, { timeout: 240_000 }, async () => {
  const acknowledged = new Set<string>();
  for (const [at, steps] of sample(HISTORIES).entries()) {
    const result = await runHistory(world, steps);
    expect(told(result), `npm run test:simulation -- --seed ${SEED} --path ${at}`).toBeNull();
    for (const act of result.acknowledged) acknowledged.add(act);
  }
  expect([...acknowledged]).toEqual(expect.arrayContaining(ACTS));
});

describe("a history", () => {
  it("has the same trace each time, also the first of all", async () => {
    const unused = new World(migrations);
    for (const steps of sample(5)) {
      const { trace } = await runHistory(unused, steps);
      expect((await runHistory(unused, steps)).trace).toEqual(trace);
      expect(trace.length).toBeGreaterThan(100);
    }
    expect(sample(5)).toEqual(sample(5));
  });

  it("may be empty, and have commands that have nothing to act on", async () => {
    expect(told(await runHistory(world, []))).toBeNull();
    const names = Object.keys(COMMANDS).filter((name) => name !== "open");
    const steps = names.map((command): Step => ({ command, choices: [3, 3, 3], seed: 1 }));
    expect(told(await runHistory(world, steps))).toBeNull();
  });

  it("may have a thousand commands", { timeout: 300_000 }, async () => {
    for (const steps of sampleHistories(1, SEED, 1000))
      expect(told(await runHistory(world, steps))).toBeNull();
  });

  it("refuses an unknown command", async () => {
    const { violation } = await runHistory(world, [{ command: "fly", choices: [0, 0, 0], seed: 1 }]);
    expect(violation?.message).toContain("There is no command fly");
  });

  it("goes on when the clock goes back an hour at any time", { timeout: 60_000 }, async () => {
    const back: Step = { command: "clock", choices: [1, 0, 0], seed: 1 };
    for (const steps of sample(5))
      expect(
        told(
          await runHistory(
            world,
            steps.flatMap((step) => [step, back]),
          ),
        ),
      ).toBeNull();
  });
});

/** Acts of a short day, one after the other. */
const DAY = [
  "open",
  "hold",
  "answer",
  "quote",
  "acceptTwice",
  "deposit",
  "recordSale",
  "mailReceipt",
  "credit",
  "correct",
  "addCustomer",
  "merge",
  "send",
  "sendFile",
  "look",
  "import",
  "undo",
  "backUp",
  "deleteChat",
];
/** First number from another on with which a step runs to its end before the next one begins. */
const unhurried = (from: number): number => (seededRandom(from)() < 0.5 ? from : unhurried(from + 1));
const day = DAY.map((command, at): Step => ({ command, choices: [0, at, 6], seed: unhurried(10 * at) }));

const isCall = (line: string) => /^(?:D1|object|HTTP|R2|mail|fetch) /.test(line);
/** Names what is called, without identifiers: words with a digit, but for D1 and R2. */
const kindOf = (line: string) => line.replaceAll(/(?!^)\b[\w-]*\d[\w-]*/g, "");

/** Returns the numbers of the first calls of each kind in the day: each history takes a tenth of a second. */
const calls = async () => {
  const { trace } = await runHistory(world, day, { hasFaults: false });
  const kinds = trace.filter(isCall).map(kindOf);
  const first = new Map(kinds.map((kind) => [kind, kinds.indexOf(kind) + 1]));
  for (const kind of [
    "HTTP POST /api/sale",
    "HTTP POST /api/chat/message",
    "HTTP POST /api/quote",
    "HTTP POST /api/sale//correct",
    "HTTP POST /api/product/bulk-upload//undo",
    "mail ",
    "R2 put",
    "fetch push.example",
    "fetch books.example",
  ])
    expect(
      [...first.keys()].some((name) => name.startsWith(kind)),
      kind,
    ).toBe(true);
  return [...first.values()];
};

describe("a day in which one call", () => {
  it.each<Outcome>(["failed", "lost", "slow"])("is %s", { timeout: 300_000 }, async (outcome) => {
    for (const call of await calls()) {
      const result = await runHistory(world, day, { hasFaults: false, forced: { call, outcome } });
      expect(told(result), `call ${call}`).toBeNull();
    }
  });

  it("meets the eviction of every object", { timeout: 300_000 }, async () => {
    for (const call of await calls()) {
      const forced = { call, outcome: "done" as const, before: () => world.objects.evictAll() };
      expect(told(await runHistory(world, day, { hasFaults: false, forced })), `call ${call}`).toBeNull();
    }
  });
});
