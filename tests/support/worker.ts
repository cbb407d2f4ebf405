import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "worker-under-test";
import { isPromisedNothing, LaggingD1 } from "./lagging-d1";

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
