import { Form } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";

/** Page of a mail's link that turns the mails of its conversation off or on. @param mails null for an invalid link */
export function MailsPage({ mails }: { mails: { isOn: boolean } | null }) {
  return (
    <div className="wrap chat-page">
      <h1>Mails of this conversation</h1>
      {mails === null && (
        <p className="soft">This link is not valid any more. Open a newer mail, or ask us in the chat.</p>
      )}
      {mails?.isOn === true && (
        <p className="soft">
          We mail you when there is an answer and you are away. Do you want no more of these mails?
        </p>
      )}
      {mails?.isOn === false && (
        <p className="soft">You get no more mails of this conversation. It stays open, with all messages.</p>
      )}
      {mails && (
        <Form method="post" className="chat-form">
          <SubmitButton intent={mails.isOn ? "stop" : "start"} busy="Saving..." className="btn btn-talk">
            {mails.isOn ? "Turn them off" : "Turn them on again"}
          </SubmitButton>
        </Form>
      )}
    </div>
  );
}
