import type {
  ActionFunctionArgs,
  AppLoadContext,
  EntryContext,
  LoaderFunctionArgs,
} from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToReadableStream, renderToString } from "react-dom/server";
import { rejectionIn } from "~/http/rejected-form.server";
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

/** What React leaves where something was not there at once, or failed. Text can't say it: its `<` is escaped. */
const UNFINISHED = "<!--$!-->";

/**
 * Renders a page whole: without JavaScript a late part would never appear (contract: Every call). At one go where
 * nothing has to be waited for, which takes React half the time; else as a stream, to its end.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce }: AppLoadContext,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const rejection = rejectionIn(remixContext.staticHandlerContext.errors);
  if (rejection) {
    const { pathname, search } = new URL(request.url);
    const html = renderToString(<RejectedForm message={rejection} back={pathname + search} />);
    return new Response(`<!DOCTYPE html>${html}`, { headers, status });
  }
  const page = (
    <NonceContext.Provider value={nonce}>
      <RemixServer context={remixContext} url={request.url} nonce={nonce} />
    </NonceContext.Provider>
  );
  const html = renderToString(page);
  if (!html.includes(UNFINISHED)) return new Response(`<!DOCTYPE html>${html}`, { headers, status });
  let failed = false;
  const stream = await renderToReadableStream(page, {
    nonce,
    onError(error: unknown) {
      failed = true;
      console.error(error);
    },
  });
  await stream.allReady;
  return new Response(stream, { headers, status: failed ? 500 : status });
}

interface RejectedFormProps {
  message: string;
  /** Path of the page that the form was sent to. */
  back: string;
}

/** Whole document for a form that was rejected unread: no shop around it, so that it costs next to nothing. */
function RejectedForm({ message, back }: RejectedFormProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Form not accepted</title>
      </head>
      <body>
        <main>
          <h1>Form not accepted</h1>
          <p>{message} Nothing was saved.</p>
          <a href={back}>Back to the page</a>
        </main>
      </body>
    </html>
  );
}
