import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RestockPage as RestockLink } from "./operations.server";

const STATES: Record<RestockLink["state"], (name: string) => string> = {
  unconfirmed: (name) => `Shall we tell you by mail when ${name} can be bought again?`,
  waiting: (name) => `We tell you by mail once ${name} can be bought again.`,
  notified: (name) => `We have told you about ${name}, and write no more about it.`,
  ended: () => "The request of this link has ended. You wait for something else.",
};

interface RestockPageProps {
  /** Null for one that is not valid any more. */
  link: RestockLink | null;
  /** The reader has just ended the mails. */
  isEnded: boolean;
}

/** Page of a mailed link about something that was sold out. */
export function RestockPage({ link, isEnded }: RestockPageProps) {
  return (
    <div className="wrap chat-page">
      <h1>Mails about what is back in stock</h1>
      {link ? (
        <LinkForm link={link} />
      ) : (
        <p className="soft">
          {isEnded
            ? "Done, you get no more of these mails."
            : "You get no mails from this link: it was ended, or it is not valid any more."}{" "}
          Once you have ended them, we ask this address to confirm nothing for 90 days, whoever asks.
        </p>
      )}
    </div>
  );
}

function LinkForm({ link: { name, path, state, isAvailable, waiting } }: { link: RestockLink }) {
  const stop = waiting > 1 ? `Tell me about none of the ${waiting} things` : "Get no more of these mails";
  return (
    <>
      <p className="soft">{STATES[state](name)}</p>
      {isAvailable && (
        <p>
          It can be bought now. <Link to={path}>Have a look</Link>
        </p>
      )}
      <Form method="post" className="chat-form">
        {state === "unconfirmed" && (
          <SubmitButton intent="confirmRestock" busy="Saving..." className="btn btn-talk">
            Yes, tell me
          </SubmitButton>
        )}
        {waiting > 0 && (
          <SubmitButton intent="stopRestock" busy="Saving..." className="btn btn-line">
            {stop}
          </SubmitButton>
        )}
      </Form>
    </>
  );
}
