import type {
  ActionFunctionArgs,
  AppLoadContext,
  EntryContext,
  LoaderFunctionArgs,
} from "@remix-run/cloudflare";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToReadableStream, renderToString } from "react-dom/server";
import { localTo } from "~/domain/local-to";
import { refusalIn } from "~/http/form-action.server";
import { errorReference, logError } from "~/http/request-log.server";
import { FormKeyContext, ModulesContext, NonceContext, ReferenceContext } from "~/ui/site";

/**
 * Logs server errors; unknown URLs and aborted requests are not logged.
 *
 * @param error thrown by a loader, an action or the router
 */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  const isClientError = isRouteErrorResponse(error) && error.status < 500;
  if (!isClientError && !request.signal.aborted) logError(error);
}

/** End of React's marker of a suspended or failed boundary, `<!--$!-->`. Text cannot contain it: its `>` is escaped. */
const SUSPENDED = "$!-->";

/**
 * Renders a complete page: a streamed part would never appear without JavaScript. It renders in one synchronous pass,
 * which takes half the time, and falls back to a stream read to its end when a component suspends.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, formKey }: AppLoadContext,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const refusal = refusalIn(remixContext.staticHandlerContext.errors);
  if (refusal) {
    const { pathname, search } = new URL(request.url);
    const html = renderToString(<RefusedForm message={refusal} back={pathname + search} />);
    return new Response(`<!DOCTYPE html>${html}`, { headers, status });
  }
  const page = (
    <NonceContext.Provider value={nonce}>
      <FormKeyContext.Provider value={formKey}>
        <ReferenceContext.Provider value={status >= 500 ? errorReference() : undefined}>
          <ModulesContext.Provider value={pageModules(remixContext)}>
            <RemixServer context={remixContext} url={request.url} nonce={nonce} />
          </ModulesContext.Provider>
        </ReferenceContext.Provider>
      </FormKeyContext.Provider>
    </NonceContext.Provider>
  );
  const html = `<!DOCTYPE html>${renderToString(page)}`;
  if (!html.includes(SUSPENDED)) return new Response(html, { headers, status });
  let failed = false;
  const stream = await renderToReadableStream(page, {
    nonce,
    onError(error: unknown) {
      failed = true;
      logError(error);
    },
  });
  await stream.allReady;
  return new Response(stream, { headers, status: failed ? 500 : status });
}

/** Returns the paths of the modules that hydrate a page. */
function pageModules({ manifest, staticHandlerContext }: EntryContext): string[] {
  const routes = staticHandlerContext.matches.flatMap(({ route }) => manifest.routes[route.id] ?? []);
  const parts = [manifest.entry, ...routes].flatMap(({ module, imports = [] }) => [module, ...imports]);
  return [...new Set([manifest.url, ...parts])];
}

interface RefusedFormProps {
  message: string;
  /** Path of the form's page. */
  back: string;
}

/** Document for a form that was refused unread; without the shop's frame it costs next to nothing. */
function RefusedForm({ message, back }: RefusedFormProps) {
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
          <a href={localTo(back)}>Back to the page</a>
        </main>
      </body>
    </html>
  );
}
