import { useActionData, useNavigation, useRouteLoaderData } from "@remix-run/react";
import { Fragment, useEffect, useState } from "react";
import { SCARCE_STOCK } from "~/domain/stock-levels";
import { pages } from "~/features/catalogue/browser-cache";
import { nearestUnits } from "~/features/catalogue/near-choices";
import onDemandCss from "~/features/catalogue/on-demand.css?url";
import type { OfferedOptions } from "~/features/catalogue/options";
import { choiceUrl, type OfferedUnit } from "~/features/catalogue/unit-choice";
import { ASK_BUTTON } from "~/features/chat/open-chat";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import type { RefusedForm } from "~/ui/useCheckedForm";
import type { OwnWait } from "./operations.server";

interface SoldOutProps {
  id: string;
  /** Address of the page with the choice, and the choice in words; "" for a product without options. */
  path: string;
  choice: string;
}

interface ProductProps extends Omit<SoldOutProps, "choice"> {
  /** Null for a choice that is not made. */
  choice?: string | null;
  /** Value of each option, and the units of a product with any. */
  chosen: string[];
  units?: OfferedUnit[];
  choices: Pick<OfferedOptions, "options">;
}

/**
 * Panel in place of what is sold out: the nearest choices, and ways to hear when it is back: an e-mail address, with a
 * script this browser, or the chat; for who waits already, a word of that. The heading names the choice: without a script it is
 * that of the address.
 */
export default function SoldOut(product: ProductProps) {
  const { id, path, choice = "" } = product;
  const { waits = [] } = useRouteLoaderData<{ waits?: OwnWait[] }>("routes/_shop.products.$id") ?? {};
  const wait = waits.find((each) => each.choice === choice);
  return (
    <section className="restock" aria-labelledby="restock">
      <link rel="stylesheet" href={onDemandCss} />
      <h2 id="restock">{headingOf(product, wait)}</h2>
      {wait && <Waiting wait={wait} path={path} />}
      <NearChoices {...product} />
      {choice !== null && !wait && (
        <>
          <AddressForm path={path} choice={choice} />
          <NotifyThisBrowser id={id} choice={choice} />
        </>
      )}
      <AskUs isMade={choice !== null} />
    </section>
  );
}

const MAX_NEAR = 2;

/** Names the choices that can be bought and are nearest to the chosen one, with links to them. */
function NearChoices({ id, chosen, units = [], choices: { options = [] } }: ProductProps) {
  const near = nearestUnits(units, chosen, options).slice(0, MAX_NEAR);
  if (near.length === 0) return null;
  return (
    <p>
      There is{" "}
      {near.map(({ name, unit }, i) => (
        <Fragment key={name}>
          {i > 0 && " and "}
          <Link className="link" to={choiceUrl(id, options, unit.values)} replace preventScrollReset>
            {name}
          </Link>
          {unit.stock <= SCARCE_STOCK && ` (${unit.stock} left)`}
        </Fragment>
      ))}
      .
    </p>
  );
}

/** Returns what the panel is about: a choice that is not made, one that the reader waits for, or one that can be waited for. */
function headingOf({ chosen, choice = "" }: ProductProps, wait: OwnWait | undefined): string {
  if (choice === null) return `${chosen.join(" / ")} is not made`;
  if (!wait) return `Tell me when ${choice || "it"} is back`;
  return wait.isConfirmed ? `You wait for ${choice || "it"}` : "Check your mail";
}

/** Word of what the reader waits for, and a way to end it. */
function Waiting({ wait: { id, choice, promise, isConfirmed }, path }: { wait: OwnWait; path: string }) {
  return (
    <>
      <p>
        <Icon name="bell" className="i s" />{" "}
        {`${promise}${isConfirmed ? ", when" : " once"} ${choice || "it"} is back.`}
      </p>
      {!isConfirmed && (
        <small>
          No mail? See the spam. None comes to an address that waits already, has ended these mails, or left
          three of a day unanswered.
        </small>
      )}
      <Form method="post" action={path} preventScrollReset onSubmit={() => pages.expire()}>
        <input type="hidden" name="request" value={id} />
        <button type="submit" name="intent" value="stopWaiting" className="btn btn-line">
          Stop
        </button>
      </Form>
    </>
  );
}

function AddressForm({ path, choice }: Omit<SoldOutProps, "id">) {
  const refused = useActionData<RefusedForm>();
  const isSending = useNavigation().formData?.get("intent") === "restock";
  const isKnown = Boolean(useRouteLoaderData<{ user: unknown }>("routes/_shop")?.user);
  const error = refused?.lastResult?.error?.email?.[0] ?? refused?.failure;
  const typed = refused?.lastResult?.initialValue?.email;
  return (
    <Form method="post" action={path} preventScrollReset onSubmit={() => pages.expire()}>
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
        {/* `ui/SubmitButton` stands in a chunk that no first view of the shop loads. */}
        <button type="submit" name="intent" value="restock" className="btn btn-act" disabled={isSending}>
          {isSending ? "Sending..." : "Tell me"}
        </button>
      </div>
      {error && (
        <p className="error" id="restock-error" role="alert">
          {error}
        </p>
      )}
    </Form>
  );
}

const AskUs = ({ isMade }: { isMade: boolean }) => (
  <small>
    Or{" "}
    <button {...ASK_BUTTON} className="link">
      ask us
    </button>{" "}
    {isMade ? "when it will be back." : "about it."}
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
      pages.expire();
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
