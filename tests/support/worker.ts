import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "worker-under-test";

/**
 * Sends a request through the whole Worker.
 *
 * Calls its handler directly: each `exports.default.fetch` takes longer than the one before (10 ms, after 500 requests
 * 130 ms), which made minutes of a file with thousands of requests. Between requests of different origin, which may not
 * share I/O, the journeys run in a served shop.
 */
export async function send(request: Request): Promise<Response> {
  return worker.fetch(request as Parameters<typeof worker.fetch>[0], env, createExecutionContext());
}
