import { CurrentPassword } from "~/features/accounts/AuthForms";
import { Checkbox, Field, FieldNotes } from "~/ui/Field";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { useLowStock } from "~/ui/shop-numbers";
import type { IntegrationsPage } from "./operations.server";
import { EVENT_LABELS, INTEGRATIONS_PATH, WEBHOOK_EVENTS } from "./schema";

interface ActProps {
  intent: string;
  id: string;
  label: string;
  /** Thing that the button is about, for screen readers. */
  of: string;
}

/** Button of one row. */
export function Act({ intent, id, label, of }: ActProps) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={id} />
      <SubmitButton intent={intent} busy="Saving..." className="btn small">
        {label}
        <span className="visually-hidden"> {of}</span>
      </SubmitButton>
    </Form>
  );
}

/** Builds the URL of the dialog that asks before a key is revoked, or a webhook deleted or given another secret. */
export const dialogUrl = (kind: "revoke" | "delete" | "renew", id: string): string =>
  `${INTEGRATIONS_PATH}?${new URLSearchParams({ [kind]: id })}`;

/** Link of one row to its dialog, drawn as the buttons beside it. */
export function ActLink({ to, label, of }: Pick<ActProps, "label" | "of"> & { to: string }) {
  return (
    <Link className="btn small" to={to} preventScrollReset>
      {label}
      <span className="visually-hidden"> {of}</span>
    </Link>
  );
}

export interface FormProps {
  errorOf(field: string): string | undefined;
  /** Values that were sent in a field of a refused form. */
  sentIn(field: string): string[];
}

type Webhook = NonNullable<IntegrationsPage["webhooks"]>[number];

/** Address without its scheme, which is always https. */
export const addressOf = (url: string): string => url.replace(/^https:\/\//, "");

/** Webhook with its events, state and actions. */
export function WebhookPanel({ id, url, events, lowStock, note, disabled, succeeded }: Webhook) {
  const limit = events.includes("stock.low") ? ` (at ${lowStock} or fewer)` : "";
  return (
    <section className="panel health-panel" aria-labelledby={`webhook-${id}`}>
      <header>
        <h2 id={`webhook-${id}`}>Webhook: {addressOf(url)}</h2>
        <p>{disabled ? "disabled" : "enabled"}</p>
      </header>
      <p>
        {disabled && (
          <strong>
            Disabled {disabled}: {note}{" "}
          </strong>
        )}
        {events.join(", ")}
        {limit}. Last success: {succeeded ?? "none"}.
      </p>
      <div className="button-row webhook-acts">
        <Act
          intent={disabled ? "enable" : "disable"}
          id={id}
          label={disabled ? "Enable" : "Disable"}
          of={url}
        />
        <Act intent="test-webhook" id={id} label="Send a test event" of={url} />
        <ActLink to={dialogUrl("renew", id)} label="New secret" of={url} />
        <ActLink to={dialogUrl("delete", id)} label="Delete" of={url} />
      </div>
    </section>
  );
}

interface OwnPasswordProps {
  id: string;
  email: string;
  error: string | undefined;
}

/** Field of the password by which a key or a webhook is made. */
export const OwnPassword = (props: OwnPasswordProps) => (
  <CurrentPassword name="currentPassword" label="Your password" required {...props} />
);

export function WebhookForm({ email, errorOf, sentIn }: FormProps & { email: string }) {
  const [url] = sentIn("url");
  const [lowStock] = sentIn("lowStock");
  const shopLowStock = useLowStock()();
  return (
    <section className="panel health-panel" aria-labelledby="new-webhook">
      <header>
        <h2 id="new-webhook">New webhook</h2>
      </header>
      <Form method="post" className="form-plain" preventScrollReset>
        <Field
          id="webhook-url"
          name="url"
          type="url"
          label="Address"
          maxLength={1024}
          required
          placeholder="https://"
          hint="A public https address that accepts POST"
          defaultValue={url}
          error={errorOf("url")}
        />
        <EventBoxes error={errorOf("events")} sent={sentIn("events")} />
        <Field
          id="webhook-low-stock"
          name="lowStock"
          label="Low stock means"
          hint="A product's own number goes before it."
          inputMode="numeric"
          defaultValue={lowStock ?? String(shopLowStock)}
          error={errorOf("lowStock")}
        />
        <OwnPassword id="webhook-password" email={email} error={errorOf("currentPassword")} />
        <SubmitButton intent="create-webhook" busy="Adding..." className="btn primary">
          Add webhook
        </SubmitButton>
      </Form>
    </section>
  );
}

function EventBoxes({ error, sent }: { error: string | undefined; sent: string[] }) {
  return (
    <fieldset className="field" aria-describedby={error ? "webhook-events-error" : undefined}>
      <legend>Events</legend>
      {WEBHOOK_EVENTS.map((event) => (
        <Checkbox
          key={event}
          id={`webhook-${event}`}
          name="events"
          value={event}
          defaultChecked={sent.includes(event)}
        >
          <code>{event}</code> {EVENT_LABELS[event]}
        </Checkbox>
      ))}
      <FieldNotes id="webhook-events" error={error} />
    </fieldset>
  );
}
