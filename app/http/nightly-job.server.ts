/** Part of a nightly job that was not the last one. */
export class NextStep {
  constructor(
    /** Beginning of the next step. */
    readonly cursor: string,
    /** Number of things that this step did. */
    readonly done = 0,
  ) {}
}

/**
 * Step of a nightly job, whose queries and calls are bounded; a number is the number of things it did, a text describes it.
 *
 * @param cursor of the step before; undefined for the first one
 */
export type NightlyJob = (env: Env, cursor?: string) => Promise<unknown>;
