import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker, { SharedPages } from "worker-under-test";
import { ORIGIN } from "./shop";

interface Stored {
  response: Response;
  tags: string[];
  /** Epoch milliseconds. */
  freshUntil: number;
  staleUntil: number;
}

const seconds = (caching: string, directive: string) =>
  Number(new RegExp(`${directive}=(\\d+)`).exec(caching)?.[1] ?? 0);

/**
 * Stands in for the platform's cache before an entry point, which workerd lacks, as its documentation describes it: keyed by URL,
 * `Cache-Control` with stale-while-revalidate, `Cache-Tag`, purges by tag. The entry point behind it is the Worker's own.
 */
export class PlatformCache {
  /** Makes purges fail, as the platform does past its limit. */
  isPurgeRefused = false;
  isDown = false;
  /** Tags of each purge. */
  readonly purges: string[][] = [];
  readonly #stored = new Map<string, Stored>();
  readonly #context = createExecutionContext();
  readonly #pages = new SharedPages(this.#context, env as Env);

  async isCached(): Promise<boolean> {
    return true;
  }

  async purge(tags: string[]): Promise<boolean> {
    if (this.isPurgeRefused) return false;
    this.purges.push(tags);
    for (const [url, stored] of this.#stored)
      if (stored.tags.some((tag) => tags.includes(tag))) this.#stored.delete(url);
    return true;
  }

  async fetch(request: Request): Promise<Response> {
    if (this.isDown) throw new Error("The cache is down.");
    const stored = this.#stored.get(request.url);
    if (stored && stored.freshUntil >= Date.now()) return answer(stored.response, "HIT");
    if (!stored || stored.staleUntil < Date.now()) return answer(await this.#load(request), "MISS");
    this.#context.waitUntil(this.#load(request));
    return answer(stored.response, "UPDATING");
  }

  async #load(request: Request): Promise<Response> {
    const response = await this.#pages.fetch(request);
    const caching = response.headers.get("Cache-Control") ?? "";
    if (!caching.startsWith("public")) return response;
    const freshUntil = Date.now() + seconds(caching, "max-age") * 1000;
    const staleUntil = freshUntil + seconds(caching, "stale-while-revalidate") * 1000;
    const tags = (response.headers.get("Cache-Tag") ?? "").split(",");
    this.#stored.set(request.url, { response: response.clone(), tags, freshUntil, staleUntil });
    return response;
  }

  /** Sends a request through the whole Worker, with this cache before its entry point. */
  async call(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext();
    const request = new Request(ORIGIN + path, { redirect: "manual", ...init });
    const waitUntil = (work: Promise<unknown>) => context.waitUntil(work);
    const ctx = { waitUntil, passThroughOnException: () => {}, exports: this.#entries, props: {} };
    return worker.fetch(
      request as Parameters<typeof worker.fetch>[0],
      env,
      ctx as unknown as ExecutionContext,
    );
  }

  readonly #entries = { SharedPages: this };
}

function answer(response: Response, status: string): Response {
  const answered = new Response(response.clone().body, response);
  answered.headers.set("CF-Cache-Status", status);
  return answered;
}
