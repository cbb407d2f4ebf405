import fc from "fast-check";
import { NextStep } from "~/http/nightly-job.server";
import { seededRandom } from "../../scripts/seed/random";
import { JOBS } from "../../workers/nightly";
import { type Choices, COMMANDS } from "./commands";
import { checkAlways, checkAtRest, checkSavedRows } from "./invariants";
import { Model, type Violation } from "./model";
import { fillShop } from "./runtime/fixture";
import { Actor, type Scheduler } from "./runtime/scheduler";
import type { World } from "./runtime/world";

/** Step of a history: a command, what it acts on, and the seed of everything that happens until the next step. */
export interface Step {
  command: string;
  choices: Choices;
  seed: number;
}

export const STEPS = 40;
/** Steps after which the invariants of a longer history are checked. */
const LONG = 100;
/** Events of one step at most; some commands go on during the next ones. */
const STEP_EVENTS = 60;
/** Events with which a room is told that D1 has its row. */
const ROW_SAVED = /\.saveRow$|INSERT INTO chats /;
/** Events until rest at most. */
const REST_EVENTS = 20_000;

/** Generates the steps of histories. @param names of commands, more often those that stand there more often */
export const histories = (steps = STEPS, names = Object.keys(COMMANDS)) =>
  fc.array(
    fc.record({
      command: fc.constantFrom(...names),
      choices: fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)),
      seed: fc.nat(),
    }),
    { minLength: steps, maxLength: steps },
  );

/** Generates the first histories of a seed. */
export const sampleHistories = (numRuns: number, seed: number, steps = STEPS): Step[][] =>
  fc.sample(histories(steps), { numRuns, seed });

/** Result of a history. */
export interface Result {
  trace: string[];
  violation: Violation | null;
  /** Kinds of the acts that were acknowledged; those that name a unit of a product with options are `sale of a unit` too. */
  acknowledged: Set<string>;
  /** Step after which it was found. */
  step: number;
}

/** Runs a history in an empty shop, until the first violated invariant. */
export async function runHistory(
  world: World,
  steps: Step[],
  { hasFaults = true, forced = null }: { hasFaults?: boolean; forced?: Scheduler["forced"] } = {},
): Promise<Result> {
  await world.begin(steps.reduce((sum, { seed }) => (sum * 31 + seed) >>> 0, 7));
  try {
    fillShop(world);
    const model = new Model(world);
    const onEvent = (label: string) => ROW_SAVED.test(label) && checkSavedRows(model);
    Object.assign(world.scheduler, { hasFaults, forced, onEvent });
    for (const [at, step] of steps.entries()) {
      await runStep(model, step);
      // All rows are read again: a history of 10,000 steps would take hours.
      if (steps.length <= LONG || at % LONG === 0) checkAlways(model);
      if (model.violations[0]) return result(model, at);
    }
    await rest(model);
    if (!model.violations[0]) checkAtRest(model);
    return result(model, steps.length);
  } finally {
    Object.assign(world.scheduler, { forced: null, onEvent: () => {} });
    world.end();
  }
}

const result = ({ world, violations, acts }: Model, step: number): Result => ({
  trace: [...world.scheduler.trace],
  violation: violations[0] ?? null,
  acknowledged: new Set(
    acts
      .filter(({ success }) => success !== undefined)
      .flatMap(({ kind, request: { json, form } }) =>
        /ring/.test(JSON.stringify([json, form])) ? [kind, `${kind} of a unit`] : [kind],
      ),
  ),
  step,
});

async function runStep(model: Model, { command, choices, seed }: Step): Promise<void> {
  const { scheduler } = model.world;
  scheduler.random = seededRandom(seed);
  scheduler.trace.push(`> ${command} ${choices}`);
  let isDone = false;
  const { generation } = model;
  model.running++;
  const run = COMMANDS[command];
  const work = run ? run(model, choices) : Promise.reject(new Error(`There is no command ${command}`));
  void work
    .catch((error: unknown) =>
      model.fail(`${command} failed: ${error instanceof Error ? error.stack : error}`),
    )
    .finally(() => {
      // A restore has ended everything before it.
      if (command === "restore" || generation === model.generation) model.running--;
      isDone = true;
    });
  // Half of the commands end before the next one begins.
  const events = scheduler.chance(0.5) ? STEP_EVENTS : scheduler.below(STEP_EVENTS / 3);
  for (let event = 0; event < events && !isDone; event++) if (!(await scheduler.step(true))) break;
}

/**
 * Nightly jobs that deliver what waits: where the call that begins a delivery was lost, the next write or the night does
 * (docs/decisions/0025-sales.md, docs/decisions/0033-webhooks.md).
 */
const DELIVERIES = ["outbox of sales", "outbox of webhooks"];

/** Lets everything that waits be done, without faults: alarms, then the night's deliveries, then their alarms. */
async function rest(model: Model): Promise<void> {
  const { scheduler, env } = model.world;
  scheduler.hasFaults = false;
  scheduler.trace.push("> rest");
  await runAlarms(model);
  // Twice: what an eviction cuts off is left to the next night.
  for (let night = 1; night <= 2; night++) {
    const deliver = (name: string) => scheduler.actors.run(new Actor(name), async () => JOBS[name]?.(env));
    await Promise.all([Promise.allSettled(DELIVERIES.map(deliver)), runAlarms(model)]);
    await runAlarms(model);
  }
  await checkAuditLog(model);
  checkAlways(model);
}

/** Seals the audit log and verifies its chain, as every night; the job throws at the first row that differs. */
async function checkAuditLog(model: Model): Promise<void> {
  const { scheduler, env } = model.world;
  // A failure of the check's own calls would say nothing of the log.
  scheduler.forced = null;
  const verify = async () => {
    let result = await JOBS["audit log"]?.(env);
    while (result instanceof NextStep) result = await JOBS["audit log"]?.(env, result.cursor);
    if (!/^whole to row/.test(String(result))) model.fail(`The audit log is ${String(result)}`);
  };
  const work = scheduler.actors.run(new Actor("audit log"), verify);
  void work.catch((error: unknown) => model.fail(`The audit log is broken: ${error}`));
  await runAlarms(model);
  await work.catch(() => undefined);
}

/** Lets time pass until no alarm is set. */
async function runAlarms({ world, fail }: Model): Promise<void> {
  const { scheduler, objects } = world;
  for (let events = 0; events < REST_EVENTS; events++) {
    if (await scheduler.step(true)) continue;
    const alarm = objects.nextAlarm();
    if (alarm === null) return;
    scheduler.now = Math.max(scheduler.now, alarm);
  }
  fail(`The shop is not at rest after ${REST_EVENTS} events`);
}
