import { Link } from "@remix-run/react";
import { CircleAlert } from "lucide-react";

interface AdminFailureProps {
  /** There is no such page; otherwise something broke. */
  isMissing: boolean;
  /** The address that failed. */
  retry: string;
}

/** An admin page that is missing or broke. */
export function AdminFailure({ isMissing, retry }: AdminFailureProps) {
  return (
    <section className="panel empty">
      <span className="says">
        <CircleAlert className="i" aria-hidden="true" />
      </span>
      <h2>{isMissing ? "Page Not Found" : "Internal Server Error"}</h2>
      <p>{isMissing ? "There is no such page in the back office." : "Something went wrong on our end."}</p>
      <div className="bar">
        {!isMissing && (
          <a className="btn act" href={retry}>
            Try Again
          </a>
        )}
        <Link className="btn" to="/admin">
          Dashboard
        </Link>
      </div>
    </section>
  );
}
