import { Link } from "@remix-run/react";
import { Icon } from "~/ui/Icon";

interface AdminFailureProps {
  /** There is no such page; otherwise something broke. */
  isMissing: boolean;
  /** The connection broke on the way to it. */
  isLost: boolean;
  /** The address that failed. */
  retry: string;
}

/** An admin page that is missing or broke. */
export function AdminFailure(props: AdminFailureProps) {
  const { isMissing, retry } = props;
  const { title, text } = words(props);
  return (
    <section className="panel empty-state">
      <span className="empty-state-icon">
        <Icon name="circle-alert" />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      <div className="button-row">
        {!isMissing && (
          <a className="btn primary" href={retry}>
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

function words({ isMissing, isLost }: AdminFailureProps): { title: string; text: string } {
  if (isMissing) return { title: "Page Not Found", text: "There is no such page in the back office." };
  if (isLost) return { title: "This page could not be loaded", text: "The connection seems to be gone." };
  return { title: "Internal Server Error", text: "Something went wrong on our end." };
}
