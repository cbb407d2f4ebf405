import type {
  ActionFunctionArgs,
  AppLoadContext,
  EntryContext,
  LoaderFunctionArgs,
} from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToReadableStream } from "react-dom/server";
import { NonceContext } from "~/ui/nonce";

/**
 * Logs what went wrong on our side; an address that nobody knows and a reader who left are no faults of ours.
 *
 * @param error what a loader, an action or the router threw
 */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  const refusal = isRouteErrorResponse(error) && error.status < 500;
  if (!refusal && !request.signal.aborted) console.error(error);
}

/**
 * Renders a page whole: without JavaScript a late part would never appear (contract: Every call).
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
) {
  let failed = false;
  const page = (
    <NonceContext.Provider value={context.nonce}>
      <RemixServer context={remixContext} url={request.url} nonce={context.nonce} />
    </NonceContext.Provider>
  );
  const stream = await renderToReadableStream(page, {
    nonce: context.nonce,
    onError(error: unknown) {
      failed = true;
      console.error(error);
    },
  });
  await stream.allReady;
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(stream, { headers, status: failed ? 500 : status });
}
