import { useActionData, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useState } from "react";
import onDemandCss from "~/features/catalogue/on-demand.css?url";
import { ASK_BUTTON } from "~/features/chat/open-chat";
import { Icon } from "~/ui/Icon";
import { Form } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import type { RefusedForm } from "~/ui/useCheckedForm";

interface SoldOutProps {
  id: string;
  /** Address of the page with the choice, and the choice in words; "" for a product without options. */
  path: string;
  choice: string;
}

/**
 * Ways to hear when something is back: an e-mail address, with a script this browser, or the chat. None for a choice that is not
 * made. The heading names the choice: without a script it is that of the address.
 */
export default function SoldOut({
  id,
  path,
  choice,
}: Omit<SoldOutProps, "choice"> & { choice: string | null }) {
  if (choice === null) return null;
  return (
    <section className="restock" aria-labelledby="restock">
      <link rel="stylesheet" href={onDemandCss} />
      <h2 id="restock">{`Tell me when ${choice || "it"} is back`}</h2>
      <AddressForm path={path} choice={choice} />
      <NotifyThisBrowser id={id} choice={choice} />
      <AskUs />
    </section>
  );
}

function AddressForm({ path, choice }: Omit<SoldOutProps, "id">) {
  const refused = useActionData<RefusedForm>();
  const isKnown = Boolean(useRouteLoaderData<{ user: unknown }>("routes/_shop")?.user);
  const error = refused?.lastResult?.error?.email?.[0] ?? refused?.failure;
  const typed = refused?.lastResult?.initialValue?.email;
  return (
    <Form method="post" action={path} preventScrollReset>
      <input type="hidden" name="color" value={choice} />
      <label htmlFor="restock-email">{isKnown ? "Email, empty for your own" : "Email"}</label>
      <div>
        <input
          className="input"
          id="restock-email"
          name="email"
          type="email"
          autoComplete="email"
          required={!isKnown}
          defaultValue={typeof typed === "string" ? typed : ""}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "restock-error" : undefined}
        />
        <SubmitButton intent="restock" busy="Sending..." className="btn">
          Tell me
        </SubmitButton>
      </div>
      {error && (
        <p className="error" id="restock-error" role="alert">
          {error}
        </p>
      )}
    </Form>
  );
}

const AskUs = () => (
  <small>
    Or{" "}
    <button {...ASK_BUTTON} className="link">
      ask us
    </button>{" "}
    when it will be back.
  </small>
);

const NOTES = {
  on: "This device tells you once it is back.",
  denied: "This browser blocks our notifications. You can allow them in its settings for this site.",
  failed: "Notifications could not be turned on. Please try again.",
};

/** Button that notifies this browser, where it can be; the code for it is loaded on the press. */
function NotifyThisBrowser({ id, choice }: Pick<SoldOutProps, "id" | "choice">) {
  const [isPossible, setPossible] = useState(false);
  const [note, setNote] = useState<keyof typeof NOTES | null>(null);
  useEffect(() => setPossible("serviceWorker" in navigator && "PushManager" in window), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice begins anew
  useEffect(() => setNote(null), [choice]);
  const notify = async () => {
    try {
      const { notifyOfRestock } = await import("./notify-browser");
      setNote((await notifyOfRestock(id, choice)) ? "on" : "denied");
    } catch {
      setNote("failed");
    }
  };
  if (!isPossible) return null;
  return (
    <>
      {note !== "on" && (
        <button type="button" className="btn btn-line" onClick={notify}>
          <Icon name="bell" /> Or notify this device
        </button>
      )}
      <p role="status">{note && NOTES[note]}</p>
    </>
  );
}
