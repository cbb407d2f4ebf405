import { Form, Link } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { SubmitButton } from "~/ui/SubmitButton";

/** The question before a mailed link replaces the chat that its reader is in. */
export function ConfirmLink({ chatId, linkKey }: { chatId: string; linkKey: string }) {
  return (
    <div className="wrap chat-page">
      <h1>Open another chat?</h1>
      <p className="soft">
        You already have a chat with us in this browser. This link opens a different one in its place. Open it
        only if it came from us and is meant for you.
      </p>
      <Form method="post" action={`/chat/${encodeURIComponent(chatId)}`} className="chat-form">
        <input type="hidden" name="key" value={linkKey} />
        <SubmitButton intent="open" busy="Opening..." className="btn btn-talk">
          <Icon name="message-circle" /> Open the other chat
        </SubmitButton>
      </Form>
      <Link className="link" to="/chat">
        Keep my chat
      </Link>
    </div>
  );
}
