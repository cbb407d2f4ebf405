import { loadAutoReplies } from "~/features/chat/operations/rooms.server";
import type { AutoReplies } from "~/features/chat/rooms";
import { initialSettings } from "~/http/shop-settings.server";

/** Milliseconds after which a change is seen by rooms that were not told of it. */
const KEPT_MS = 5000;
/** Milliseconds for which rooms leave the read to the one that began it, and between two looks at what it has read. */
const READ_MS = 500;
const LOOK_MS = 20;

/** Configuration of the automatic replies, which all rooms of an isolate share for a few seconds. */
class KeptReplies {
  #kept: { replies: AutoReplies; until: number } | null = null;
  /** Name of the shop as it was read last. */
  #name: string | undefined;
  /** Counts the changes, so that a read that one overtakes is not kept. */
  #changes = 0;
  /** Time until which a read is under way, epoch milliseconds; it may have ended with its object. */
  #readingUntil = 0;

  /** Returns what is kept, else null. */
  current(): AutoReplies | null {
    return this.#kept && Date.now() < this.#kept.until ? this.#kept.replies : null;
  }

  /**
   * Returns the shop's name as it was read last, which no visitor may take: a name is checked where a read would let messages
   * overtake each other.
   */
  shopName(env: Env): string {
    return this.#name ?? initialSettings(env).name;
  }

  /** Reads the configuration unless it is kept. @throws Error RESTORING */
  async read(env: Env): Promise<AutoReplies> {
    // The promise of another object cannot be awaited.
    for (let looks = 0; this.#isReading() && looks < READ_MS / LOOK_MS; looks++)
      await scheduler.wait(LOOK_MS);
    return this.current() ?? this.#load(env);
  }

  /** Reads the configuration for the next messages, unless another room does. Never rejects. */
  async renew(env: Env): Promise<void> {
    if (!this.#isReading() && !this.current()) await this.#load(env).catch(() => undefined);
  }

  async #load(env: Env): Promise<AutoReplies> {
    const [until, changes] = [Date.now() + KEPT_MS, this.#changes];
    this.#readingUntil = Date.now() + READ_MS;
    try {
      const replies = await loadAutoReplies(env);
      this.#name = replies.shopName;
      if (changes === this.#changes) this.#kept = { replies, until };
      return replies;
    } finally {
      this.#readingUntil = 0;
    }
  }

  #isReading(): boolean {
    return Date.now() < this.#readingUntil;
  }

  /** Forgets what is kept: staff have changed it, or a restore replaces it. */
  forget(): void {
    this.#changes++;
    this.#kept = null;
  }
}

export const keptReplies = new KeptReplies();
