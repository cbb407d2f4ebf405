import { Link, useLocation } from "@remix-run/react";

interface LoadFailureProps {
  title: string;
  text: string;
  /** Whether the same address may work another time. */
  again?: boolean;
}

/** A catalogue page that could not be shown, inside the shop's frame. */
export function LoadFailure({ title, text, again = false }: LoadFailureProps) {
  const { pathname, search } = useLocation();
  return (
    <div className="wrap">
      <div className="empty-state" role="alert">
        <h1>{title}</h1>
        <p className="soft">{text}</p>
        <div className="empty-state-actions">
          {again && (
            <a className="btn btn-act" href={pathname + search}>
              Try Again
            </a>
          )}
          <Link className={again ? "btn btn-line" : "btn btn-act"} to={pathname === "/shop" ? "/" : "/shop"}>
            {pathname === "/shop" ? "Go Home" : "Browse Shop"}
          </Link>
        </div>
      </div>
    </div>
  );
}
