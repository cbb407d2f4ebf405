import { type ComponentProps, lazy, Suspense } from "react";

/** Loaded when something has gone wrong: most visits never see it. */
const ErrorPage = lazy(() => import("./ErrorPage").catch(() => ({ default: PlainErrorPage })));

/** The error page for a status, for error boundaries; see ErrorPage. */
export function LazyErrorPage(props: ComponentProps<typeof ErrorPage>) {
  return (
    <Suspense fallback={null}>
      <ErrorPage {...props} />
    </Suspense>
  );
}

/** Where even the error page cannot be fetched: the connection is gone. */
function PlainErrorPage({ retry }: { retry: string }) {
  return (
    <div className="wrap">
      <div className="empty-state">
        <h1>This page could not be loaded</h1>
        <p>The connection seems to be gone.</p>
        <a className="btn btn-act" href={retry}>
          Try Again
        </a>
      </div>
    </div>
  );
}
