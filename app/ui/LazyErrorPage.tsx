import { isRouteErrorResponse, useLocation, useRouteError } from "@remix-run/react";
import { lazy, Suspense } from "react";
import { localTo } from "~/domain/local-to";
import type { ErrorPageProps } from "./ErrorPage";

/** Loads the error page on demand: most visits never need it. */
const ErrorPage = lazy(() => import("./ErrorPage").catch(() => ({ default: PlainErrorPage })));

/** Error page for what a route threw. @param details for its kind of page */
export function LazyErrorPage(details: Omit<ErrorPageProps, "status" | "retry">) {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  return (
    <Suspense fallback={null}>
      <ErrorPage
        {...details}
        status={isRouteErrorResponse(error) ? error.status : 500}
        retry={pathname + search}
      />
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
        <a className="btn btn-act" href={localTo(retry)}>
          Try Again
        </a>
      </div>
    </div>
  );
}
