import { type ComponentProps, lazy, Suspense } from "react";

/** Loads the error page on demand: most visits never need it. */
const ErrorPage = lazy(() => import("./ErrorPage").catch(() => ({ default: PlainErrorPage })));

export function LazyErrorPage(props: ComponentProps<typeof ErrorPage>) {
  return (
    <Suspense fallback={null}>
      <ErrorPage {...props} />
    </Suspense>
  );
}

/** Replacement when the error page itself cannot be loaded. */
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
