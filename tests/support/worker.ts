import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "worker-under-test";
import { LaggingD1 } from "./lagging-d1";

/**
 * Sends a request through the whole Worker.
 *
 * Calls its handler directly: each `exports.default.fetch` takes longer than the one before (10 ms, after 500 requests
 * 130 ms). All requests of a test therefore share one I/O context; that they don't need each other's is up to the
 * journeys, which run in a served shop.
 */
export async function send(request: Request): Promise<Response> {
  if (isPromisedNothing(request)) await LaggingD1.current?.catchUp();
  return worker.fetch(request as Parameters<typeof worker.fetch>[0], env, createExecutionContext());
}

/**
 * Recognises the only requests that may see an old shop: those that read, and that neither an account nor an own write
 * identifies. Their tests write products as somebody else and are about what such a reader sees, so that the replica
 * catches up. A page of the reader's chats or receipts is none of them.
 */
const isPromisedNothing = ({ method, url, headers }: Request) =>
  (method === "GET" || method === "HEAD") &&
  !headers.has("Authorization") &&
  !/emporia_(?:session|bookmark)=/.test(headers.get("Cookie") ?? "") &&
  !/^\/receipts\b/.test(new URL(url).pathname) &&
  !(headers.has("Cookie") && /^\/(?:api\/)?chat\b/.test(new URL(url).pathname));
