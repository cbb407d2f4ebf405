import { type ComponentProps, lazy, Suspense } from "react";
import { isConnectionLost } from "./connection";

/** Loaded when something has gone wrong: most visits never see it. */
const ErrorPage = lazy(() => import("./ErrorPage").catch(() => ({ default: PlainErrorPage })));

/** The error page for what was thrown, for error boundaries; see ErrorPage. */
export function LazyErrorPage({ error, ...props }: ComponentProps<typeof ErrorPage> & { error: unknown }) {
  if (isConnectionLost(error)) return <PlainErrorPage {...props} />;
  return (
    <Suspense fallback={null}>
      <ErrorPage {...props} />
    </Suspense>
  );
}

/** Where neither the page nor, perhaps, the error page can be fetched: the connection is gone. */
function PlainErrorPage({ retry }: { retry: string }) {
  return (
    <div className="wrap">
      <div className="empty">
        <h1>This page could not be loaded</h1>
        <p>The connection seems to be gone.</p>
        <a className="btn btn-act" href={retry}>
          Try Again
        </a>
      </div>
    </div>
  );
}
