import { Form, Link } from "@remix-run/react";
import { LOW_STOCK } from "~/db/low-stock";
import { Panel } from "~/features/health/HealthTables";
import { Checkbox, Field, FieldNotes, FormError, Segments } from "~/ui/Field";
import { SubmitButton } from "~/ui/SubmitButton";
import { useFormKey } from "~/ui/useCheckedForm";
import type { IntegrationsPage, NewSecret } from "./operations.server";
import { EVENT_LABELS, KEY_SCOPES, SCOPE_LABELS, WEBHOOK_EVENTS } from "./schema";

interface Reply {
  failure: string | null;
  lastResult: { error?: Record<string, string[] | null> | null; initialValue?: object | null } | null;
  page?: unknown;
}

interface IntegrationsProps {
  page: IntegrationsPage;
  /** Answer to a form that was sent. */
  reply: Reply | undefined;
}

/** API keys of staff and, for admins, webhooks with their deliveries. */
export function Integrations({ page, reply }: IntegrationsProps) {
  const secret = reply?.page as NewSecret | undefined;
  const errors = reply?.lastResult?.error ?? {};
  const errorOf = (field: string) => errors[field]?.[0];
  const formKey = useFormKey(reply?.failure);
  return (
    <div className="health integrations">
      <p className="soft">
        For programs: a till, a spreadsheet, a bookkeeping service. The <Link to="/api">API reference</Link>{" "}
        lists all calls and events.
      </p>
      {secret && <SecretPanel {...secret} />}
      <FormError message={reply?.failure} />
      <KeyPanel page={page} />
      <KeyForm key={`key-${formKey}`} errorOf={errorOf} />
      {page.webhooks?.map((hook) => (
        <WebhookPanel key={hook.id} {...hook} />
      ))}
      {page.webhooks && <WebhookForm key={`webhook-${formKey}`} errorOf={errorOf} />}
    </div>
  );
}

function SecretPanel({ kind, name, secret }: NewSecret) {
  return (
    <section className="panel health-panel" role="status">
      <header>
        <h2>{kind === "key" ? `API key: ${name}` : `Secret: ${name}`}</h2>
        <p>shown once</p>
      </header>
      <p>
        <code>{secret}</code>
      </p>
      <p>
        Copy it now: the shop {kind === "key" ? "keeps only its hash" : "does not show it again"}.{" "}
        {kind === "key"
          ? "Programs send it as Authorization: Bearer, never in a URL."
          : "The receiver verifies the signature of each delivery with it. A secret before it is valid for 24 hours more."}
      </p>
    </section>
  );
}

function KeyPanel({ page: { keys } }: Pick<IntegrationsProps, "page">) {
  return (
    <Panel
      title="API keys"
      note="a key acts as its owner"
      heads={["Name", "May", "Owner", "Made", "Last use", ""]}
      rows={keys.map(({ id, name, scope, owner, created, used }) => ({
        key: id,
        cells: [
          name,
          SCOPE_LABELS[scope],
          owner,
          created,
          used,
          <Act key="revoke" intent="revoke-key" id={id} label="Revoke" of={name} />,
        ],
      }))}
      empty="No program has a key yet."
    />
  );
}

interface ActProps {
  intent: string;
  id: string;
  label: string;
  /** Thing that the button is about, for screen readers. */
  of: string;
}

function Act({ intent, id, label, of }: ActProps) {
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

interface FormProps {
  errorOf(field: string): string | undefined;
}

function KeyForm({ errorOf }: FormProps) {
  return (
    <section className="panel health-panel" aria-labelledby="new-key">
      <header>
        <h2 id="new-key">New API key</h2>
      </header>
      <Form method="post" className="form-plain" preventScrollReset>
        <Field
          id="key-name"
          name="name"
          label="Name"
          maxLength={60}
          required
          hint="The program that uses it, such as Till at the counter"
          error={errorOf("name")}
        />
        <Segments
          id="key-scope"
          name="scope"
          legend="It may"
          defaultValue="read"
          options={KEY_SCOPES.map((scope) => ({ value: scope, label: SCOPE_LABELS[scope] }))}
          error={errorOf("scope")}
        />
        <SubmitButton intent="create-key" busy="Making..." className="btn primary">
          Make key
        </SubmitButton>
      </Form>
    </section>
  );
}

type Webhook = NonNullable<IntegrationsPage["webhooks"]>[number];

const STATES = { waiting: "Waiting", delivered: "Delivered", failed: "Failed" };

function WebhookPanel({ id, url, events, lowStock, note, disabled, succeeded, deliveries }: Webhook) {
  const limit = events.includes("stock.low") ? ` (at ${lowStock} or fewer)` : "";
  return (
    <>
      <Panel
        title={`Webhook: ${url}`}
        note={disabled ? "disabled" : "enabled"}
        heads={["Time", "Event", "About", "State", "Result", "Attempts", ""]}
        figures={[5]}
        rows={deliveries.map((delivery) => ({
          key: delivery.id,
          cells: [
            delivery.time,
            delivery.event,
            <code key="subject">{delivery.subject}</code>,
            <span key="state" className={delivery.state === "failed" ? "failed" : undefined}>
              {STATES[delivery.state]}
            </span>,
            delivery.result + (delivery.next ? `; next attempt ${delivery.next}` : ""),
            delivery.attempts,
            <Act key="resend" intent="resend" id={delivery.id} label="Resend" of={delivery.event} />,
          ],
        }))}
        empty="No event yet."
      />
      <div className="button-row">
        <p className="grow soft">
          {disabled && (
            <strong className="failed">
              Disabled {disabled}: {note}{" "}
            </strong>
          )}
          {events.join(", ")}
          {limit}. Last success: {succeeded ?? "none"}.
        </p>
        <Act
          intent={disabled ? "enable" : "disable"}
          id={id}
          label={disabled ? "Enable" : "Disable"}
          of={url}
        />
        <Act intent="rotate" id={id} label="New secret" of={url} />
        <Act intent="delete-webhook" id={id} label="Delete" of={url} />
      </div>
    </>
  );
}

function WebhookForm({ errorOf }: FormProps) {
  const eventsError = errorOf("events");
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
          error={errorOf("url")}
        />
        <fieldset className="field" aria-describedby={eventsError ? "webhook-events-error" : undefined}>
          <legend>Events</legend>
          {WEBHOOK_EVENTS.map((event) => (
            <Checkbox key={event} id={`webhook-${event}`} name="events" value={event}>
              <code>{event}</code> {EVENT_LABELS[event]}
            </Checkbox>
          ))}
          <FieldNotes id="webhook-events" error={eventsError} />
        </fieldset>
        <Field
          id="webhook-low-stock"
          name="lowStock"
          label="Limit of stock.low"
          inputMode="numeric"
          defaultValue={String(LOW_STOCK)}
          error={errorOf("lowStock")}
        />
        <SubmitButton intent="create-webhook" busy="Adding..." className="btn primary">
          Add webhook
        </SubmitButton>
      </Form>
    </section>
  );
}
