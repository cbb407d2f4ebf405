import { Link } from "@remix-run/react";
import { Icon } from "~/ui/Icon";

/** What stands on the page of a chat that this browser is not in. */
export function ClosedChat() {
  return (
    <div className="wrap chat-page">
      <h1>Support Chat</h1>
      <p className="soft">
        This link no longer works. You can start a new chat; if this one was yours, it opens in the browser
        you began it in, or by the link in our latest mail.
      </p>
      <Link className="btn btn-talk" to="/chat?new">
        <Icon name="message-circle" /> Start a new chat
      </Link>
    </div>
  );
}
