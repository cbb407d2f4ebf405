import { AsyncLocalStorage } from "node:async_hooks";
import { seededRandom } from "../../../scripts/seed/random";

/** Outcome of a call: `lost` is done without its answer, `slow` is answered later. */
export type Outcome = "done" | "failed" | "lost" | "slow";

/** Request or object whose code runs. When it ends, nothing that it waits for arrives any more. */
export class Actor {
  isAlive = true;
  readonly #onEnd = new Set<(reason: Error) => void>();

  constructor(readonly name: string) {}

  /** Runs work on the actor's behalf. @returns its result; rejects when the actor ends before */
  carry<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#onEnd.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => this.#onEnd.delete(reject));
    });
  }

  end(reason: Error): void {
    this.isAlive = false;
    for (const reject of this.#onEnd) reject(reason);
  }
}

/** Something that can happen next. */
interface Pending {
  id: number;
  label: string;
  actor: Actor | undefined;
  /** Epoch milliseconds of a timer; missing for a call or an answer. */
  at?: number;
  /** A call may fail; timers and answers don't. */
  isCall?: boolean;
  fire(outcome: Outcome): void;
}

/** Error of a call whose connection broke; the shop recognises its message and its mark as passing. */
const brokenConnection = () => Object.assign(new Error("Network connection lost."), { retryable: true });

/** Alarms that are due, which the objects know. */
type DueAlarms = () => { label: string; fire(): void }[];

const nextTurn = setImmediate;
const MAX_SLOW_MS = 20_000;

/**
 * Decides what happens next: every call over a boundary, every answer that takes time, every timer and every alarm is an
 * event, and a seed picks the order and the outcomes. Time passes only by timers and by `now`.
 */
export class Scheduler {
  /** Epoch milliseconds. */
  now = 0;
  /** False while nothing fails: before the first step and at rest. */
  hasFaults = false;
  /** Outcome of the call with a number, from 1, and what happens before it; the others are chosen as ever. */
  forced: { call: number; outcome: Outcome; before?: () => void } | null = null;
  readonly trace: string[] = [];
  readonly actors = new AsyncLocalStorage<Actor>();
  random = seededRandom(0);
  dueAlarms: DueAlarms = () => [];
  /** Called after each event, with its label. */
  onEvent: (label: string) => void = () => {};
  #pending: Pending[] = [];
  #lastId = 0;
  #calls = 0;

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** Number of events so far. */
  get events(): number {
    return this.trace.length;
  }

  /**
   * Calls over a boundary.
   *
   * @param run does it; what it returns at once is answered in the same event
   * @returns rejects when the call or its answer is lost
   */
  call<T>(boundary: string, label: string, run: () => T | Promise<T>): Promise<T> {
    const actor = this.actors.getStore();
    return new Promise((resolve, reject) => {
      const deliver = (answer: () => void) => {
        if (actor?.isAlive !== false) answer();
      };
      const settle = (outcome: Outcome, answer: () => void) => {
        const sent = outcome === "lost" ? () => reject(brokenConnection()) : answer;
        if (outcome === "slow")
          this.#add(`slow ${label}`, actor, () => deliver(sent), this.now + this.below(MAX_SLOW_MS));
        else deliver(sent);
      };
      const fire = (outcome: Outcome) => {
        if (outcome === "failed") return deliver(() => reject(brokenConnection()));
        try {
          const result = run();
          if (!(result instanceof Promise)) return settle(outcome, () => resolve(result));
          const later = (answer: () => void) =>
            this.#add(`answer ${label}`, actor, () => settle(outcome, answer));
          result.then(
            (value) => later(() => resolve(value)),
            (error: unknown) => later(() => reject(error)),
          );
        } catch (error) {
          settle(outcome, () => reject(error));
        }
      };
      this.#pending.push({ id: ++this.#lastId, label: `${boundary} ${label}`, actor, isCall: true, fire });
    });
  }

  /** Adds a timer, or an answer. @param at epoch milliseconds @returns its id */
  #add(label: string, actor: Actor | undefined, fire: () => void, at?: number): number {
    this.#pending.push({ id: ++this.#lastId, label, actor, fire, ...(at !== undefined && { at }) });
    return this.#lastId;
  }

  setTimer(run: () => void, ms = 0): number {
    const actor = this.actors.getStore();
    const resume = () => (actor ? this.actors.run(actor, run) : run());
    return this.#add("timer", actor, resume, this.now + Math.max(0, ms));
  }

  clearTimer(id: unknown): void {
    this.#pending = this.#pending.filter((each) => each.id !== id);
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.setTimer(resolve, ms));
  }

  /** Ends an actor in the middle of its work; calls that it has sent may still be done. */
  endActor(actor: Actor, reason: string): void {
    actor.end(Object.assign(new Error(reason), { retryable: true }));
    this.#pending = this.#pending.filter((each) => each.actor !== actor || (each.isCall && this.chance(0.5)));
  }

  /** Tells that something is pending which has a label, or whose actor has it. */
  isPending(label: string): boolean {
    return this.#pending.some((each) => each.label.endsWith(label) || each.actor?.name.endsWith(label));
  }

  /** Forgets everything that is pending. */
  clear(): void {
    this.#pending = [];
    this.trace.length = 0;
    this.#lastId = 0;
    this.#calls = 0;
  }

  /** Lets one event happen. @param timers allows time to pass @returns false when nothing is left that may happen */
  async step(timers: boolean): Promise<boolean> {
    const event = this.#pick(timers);
    if (!event) return false;
    const outcome = event.isCall ? this.#outcome() : "done";
    this.trace.push(`${event.label}${outcome === "done" ? "" : ` (${outcome})`}`);
    event.fire(outcome);
    // Streams and promises of the platform take several turns of microtasks. They all end before the next turn.
    await new Promise((resolve) => nextTurn(resolve));
    this.onEvent(event.label);
    return true;
  }

  #pick(timers: boolean): Pick<Pending, "label" | "isCall" | "fire"> | undefined {
    const calls = this.#pending.filter(({ at }) => at === undefined || at <= this.now);
    const alarms = this.dueAlarms();
    const count = calls.length + alarms.length;
    const later = this.#nextTimer();
    if (later && timers && (count === 0 || this.chance(1 / (count + 4)))) return this.#fireAt(later);
    if (count === 0) return undefined;
    const at = this.below(count);
    const chosen = calls[at];
    if (!chosen) return alarms[at - calls.length];
    this.clearTimer(chosen.id);
    return chosen;
  }

  #nextTimer(): Pending | undefined {
    let first: Pending | undefined;
    for (const each of this.#pending)
      if (each.at !== undefined && each.at > this.now && (!first || each.at < (first.at ?? 0))) first = each;
    return first;
  }

  #fireAt(timer: Pending): Pending {
    this.now = Math.max(this.now, timer.at ?? 0);
    this.clearTimer(timer.id);
    return timer;
  }

  #outcome(): Outcome {
    this.#calls++;
    if (this.forced?.call === this.#calls) {
      this.forced.before?.();
      return this.forced.outcome;
    }
    if (!this.hasFaults) return "done";
    const roll = this.random();
    return roll < 0.03 ? "failed" : roll < 0.07 ? "lost" : roll < 0.12 ? "slow" : "done";
  }
}
