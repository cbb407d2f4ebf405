import { Link } from "@remix-run/react";
import { Icon } from "~/ui/Icon";

interface AdminFailureProps {
  /** True for an unknown page, false for an error. */
  isMissing: boolean;
  /** True for a network failure. */
  isLost: boolean;
  /** URL that failed. */
  retryUrl: string;
}

/** Error in place of an admin page. */
export function AdminFailure(props: AdminFailureProps) {
  const { isMissing, retryUrl } = props;
  const { title, text } = failureText(props);
  return (
    <section className="panel empty-state">
      <span className="empty-state-icon">
        <Icon name="circle-alert" />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      <div className="button-row">
        {!isMissing && (
          <a className="btn primary" href={retryUrl}>
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

function failureText({ isMissing, isLost }: AdminFailureProps): { title: string; text: string } {
  if (isMissing) return { title: "Page Not Found", text: "There is no such page in the back office." };
  if (isLost) return { title: "This page could not be loaded", text: "The connection seems to be gone." };
  return { title: "Internal Server Error", text: "Something went wrong on our end." };
}
