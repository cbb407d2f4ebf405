import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RestockPage as RestockLink, RestockRequestPage } from "./operations.server";

const STATES: Record<RestockRequestPage["state"], (name: string) => string> = {
  unconfirmed: (name) => `Shall we tell you by mail when ${name} can be bought again?`,
  waiting: (name) => `We tell you by mail once ${name} can be bought again.`,
  notified: (name) => `We have told you about ${name}, and write no more about it.`,
  ended: () => "The request of this link has ended. You wait for something else.",
};

/** Act of the reader that the page answers. */
export type RestockChange = "ended" | "confirmed" | "resumed";

interface RestockPageProps {
  /** Null for one that is not valid any more. */
  link: RestockLink | null;
  change: RestockChange | undefined;
}

/** Page of a mailed link about something that was sold out. */
export function RestockPage({ link, change }: RestockPageProps) {
  return (
    <div className="wrap chat-page">
      <h1>Mails about what is back in stock</h1>
      {link === null && <p className="soft">{change === "resumed" ? RESUMED : NOT_VALID}</p>}
      {link &&
        ("stoppedUntil" in link ? (
          <Stopped {...link} isNew={change === "ended"} />
        ) : (
          <LinkForm link={link} />
        ))}
    </div>
  );
}

const NOT_VALID =
  "This link has ended, or is not whole: nothing was changed. Open it from the mail once more, or ask anew on the page of the product.";
const RESUMED =
  "Done, this address can get these mails again. What it waited for was ended: ask for it anew on the page of the product.";

/** Word of the mails that the owner of the address has ended, and the way back. */
function Stopped({ stoppedUntil, isNew }: { stoppedUntil: string; isNew: boolean }) {
  return (
    <>
      <p className="soft">
        {`${isNew ? "Done, you get no more of them." : "You get no more of these mails."} Until ${stoppedUntil} we ask this address nothing, whoever asks us to.`}
      </p>
      <Form method="post" className="chat-form">
        <SubmitButton intent="resumeRestock" busy="Saving..." className="btn btn-line">
          Allow them again
        </SubmitButton>
      </Form>
    </>
  );
}

function LinkForm({ link: { name, path, state, isAvailable, waiting } }: { link: RestockRequestPage }) {
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
        <SubmitButton intent="stopRestock" busy="Saving..." className="btn btn-line">
          {stop}
        </SubmitButton>
      </Form>
    </>
  );
}
