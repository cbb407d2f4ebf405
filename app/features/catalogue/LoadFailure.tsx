import { Link, useLocation } from "@remix-run/react";

interface LoadFailureProps {
  title: string;
  text: string;
  /** Offers to load the page again. */
  canRetry?: boolean;
}

/** Error in place of a catalogue page. */
export function LoadFailure({ title, text, canRetry = false }: LoadFailureProps) {
  const { pathname, search } = useLocation();
  return (
    <div className="wrap">
      <div className="empty-state" role="alert">
        <h1>{title}</h1>
        <p className="soft">{text}</p>
        <div className="empty-state-actions">
          {canRetry && (
            <a className="btn btn-act" href={pathname + search}>
              Try Again
            </a>
          )}
          <Link
            className={canRetry ? "btn btn-line" : "btn btn-act"}
            to={pathname === "/shop" ? "/" : "/shop"}
          >
            {pathname === "/shop" ? "Go Home" : "Browse Shop"}
          </Link>
        </div>
      </div>
    </div>
  );
}
