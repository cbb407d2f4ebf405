/** Milliseconds that work waits for the answer to be out, and for more of its kind. */
const PAUSE = 20;

/**
 * What may wait until an answer is out, done once for all that came up meanwhile: it would otherwise take its turn on the
 * object's only thread before the answer does.
 */
export class AfterResponse {
  #planned: Promise<void> | null = null;

  /**
   * @param ctx of the object
   * @param work never rejects; what must not be forgotten when the process ends is also a duty (duties.queries.ts)
   */
  constructor(
    private readonly ctx: DurableObjectState,
    private readonly work: () => Promise<unknown>,
  ) {}

  /** Has the work done in a moment. */
  plan(): void {
    if (this.#planned) return;
    this.#planned = scheduler.wait(PAUSE).then(async () => {
      this.#planned = null;
      await this.work();
    });
    this.ctx.waitUntil(this.#planned);
  }
}
