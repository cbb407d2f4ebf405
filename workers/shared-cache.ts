import { purgeChangedPages } from "~/features/catalogue/page-changes.server";
import type { RequestContext } from "~/http/request-context.server";
import { describeError } from "~/http/request-log.server";
import type { SharedCache } from "./cached-page";
import { dataCentreCache } from "./data-centre-cache";
import { platformCache, type SharedPagesStub } from "./platform-cache";
import { isPicture, notModified, sharedPage, sharedPicture } from "./shared-requests";

/** The Worker's entry points, as its execution context has them; missing in `npm run dev`. */
export type Entries = { SharedPages?: SharedPagesStub } | undefined;

/** Answers of `isCached` by the class of the entry point's stub: an isolate asks once. */
const answers = new WeakMap<object, boolean>();

async function sharedCache(entries: Entries): Promise<SharedCache> {
  const pages = entries?.SharedPages;
  if (!pages) return dataCentreCache;
  const isCached = answers.get(pages.constructor) ?? (await pages.isCached());
  answers.set(pages.constructor, isCached);
  return isCached ? platformCache(pages) : dataCentreCache;
}

/**
 * Serves pages and pictures that are the same for everyone from the cache, and passes other requests on.
 *
 * Only a GET without the shop's cookies and without a bearer token gets a cached page; only a 200 without Set-Cookie is
 * stored.
 *
 * @param answer passes a request to Remix
 */
export async function withSharedCache(
  request: Request,
  context: RequestContext,
  entries: Entries,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (isPicture(context.url)) return answerPicture(request, context, entries, answer);
  const page = context.env.EDGE_CACHE === "off" ? null : sharedPage(request, context);
  if (!page) return answer(request);
  const cache = await sharedCache(entries);
  if (unpurged > 0) await purgePages(context.env, entries);
  return cache.page(page, context, () => answer(new Request(page, request)));
}

async function answerPicture(
  request: Request,
  context: RequestContext,
  entries: Entries,
  answer: (request: Request) => Promise<Response>,
): Promise<Response> {
  const shared = context.env.EDGE_CACHE === "off" ? null : sharedPicture(request, context);
  const load = () => answer(shared ? new Request(shared) : request);
  const picture = shared
    ? await (await sharedCache(entries)).picture(shared, context.waitUntil, load)
    : await load();
  return notModified(request, picture) ?? new Response(picture.body, picture);
}

/** Writes of this isolate whose pages are being purged. */
let unpurged = 0;

/**
 * Purges the pages that a write has changed, after its answer. Readers of this isolate wait for it, those elsewhere get what
 * was stored until it is done. Never rejects: what fails is left to the next purge.
 */
export async function purgeAfterWrite(env: Env, entries: Entries): Promise<void> {
  unpurged++;
  await purgePages(env, entries);
  unpurged--;
}

/** Purges what the writes so far have changed; runs every 15 minutes as well. Never rejects. */
export async function purgePages(env: Env, entries: Entries): Promise<void> {
  try {
    const cache = await sharedCache(entries);
    await purgeChangedPages(env, (tags) => cache.purge(tags));
  } catch (error) {
    console.warn(JSON.stringify({ level: "warn", kind: "purge", error: describeError(error) }));
  }
}
