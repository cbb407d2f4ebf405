import { useRef, useState } from "react";
import { FactorCode } from "~/features/accounts/AuthForms";
import { Panel } from "~/features/health/HealthTables";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Field, FormError, Segments } from "~/ui/Field";
import { useHydrated } from "~/ui/hooks";
import { Form, Link } from "~/ui/navigation";
import { SubmitButton } from "~/ui/SubmitButton";
import { Deliveries } from "./Deliveries";
import type { IntegrationsPage, NewSecret } from "./operations.server";
import { INTEGRATIONS_PATH, KEY_SCOPES, SCOPE_LABELS } from "./schema";
import { ActLink, dialogUrl, type FormProps, OwnPassword, WebhookForm, WebhookPanel } from "./Webhooks";

interface Reply {
  failure: string | null;
  lastResult: {
    error?: Record<string, string[] | null> | null;
    initialValue?: Record<string, unknown> | null;
  } | null;
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
  // Both forms ask for the password.
  const isKeySent = reply?.lastResult?.initialValue?.scope !== undefined;
  const newKey = useLastSecret("key", secret);
  const newWebhook = useLastSecret("webhook", secret);
  return (
    <div className="health">
      <p className="soft">
        For programs: a till, a spreadsheet, a bookkeeping service. The{" "}
        <Link className="link" to="/api">
          API reference
        </Link>{" "}
        lists all calls and events.
      </p>
      {secret && <SecretPanel {...secret} />}
      <FormError message={reply?.failure} />
      <KeyPanel page={page} />
      {page.olderKeys !== null && (
        <Link className="quiet-link" to={page.olderKeys} preventScrollReset>
          Older keys
        </Link>
      )}
      <KeyForm key={`key-${newKey}`} page={page} {...formProps(reply, isKeySent)} />
      {page.webhooks?.map((hook) => (
        <WebhookPanel key={hook.id} {...hook} />
      ))}
      {page.log && page.webhooks && page.webhooks.length > 0 && (
        <Deliveries log={page.log} webhooks={page.webhooks} />
      )}
      {page.webhooks && (
        <WebhookForm key={`webhook-${newWebhook}`} email={page.email} {...formProps(reply, !isKeySent)} />
      )}
      {!secret && <OpenDialog {...page.dialog} />}
    </div>
  );
}

/** Returns the errors and values of a form. @param isSent the answer is to this form */
function formProps(reply: Reply | undefined, isSent: boolean): FormProps {
  const { error, initialValue } = (isSent && reply?.lastResult) || {};
  return {
    errorOf: (field) => error?.[field]?.[0],
    sentIn: (field) => [initialValue?.[field] ?? []].flat().map(String),
  };
}

/** Returns the last new secret of a kind. As the key of its form, it clears the fields once, and no other form's. */
function useLastSecret(kind: NewSecret["kind"], secret: NewSecret | undefined): string {
  const last = useRef("");
  if (secret?.kind === kind) last.current = secret.secret;
  return last.current;
}

/** Asks before a key is revoked, or a webhook deleted or given another secret. */
function OpenDialog({ revoke, remove, renew }: IntegrationsPage["dialog"]) {
  if (revoke)
    return (
      <ConfirmDialog
        title="Revoke API key"
        message="The program that uses this key stops working at once. This action cannot be undone."
        itemName={revoke.name}
        intent="revoke-key"
        fields={{ id: revoke.id }}
        back={INTEGRATIONS_PATH}
        confirm="Revoke"
        busy="Revoking..."
      />
    );
  if (renew)
    return (
      <ConfirmDialog
        title="New secret"
        message="The receiver has to be given the new secret within 24 hours: until then both sign each delivery, and then the new one alone."
        itemName={renew.url}
        intent="rotate"
        fields={{ id: renew.id }}
        back={INTEGRATIONS_PATH}
        confirm="Make a new secret"
        busy="Making..."
      />
    );
  if (!remove) return null;
  return (
    <ConfirmDialog
      title="Delete webhook"
      message="The receiver gets no further events, and the log of deliveries is deleted. This action cannot be undone."
      itemName={remove.url}
      intent="delete-webhook"
      fields={{ id: remove.id }}
      back={INTEGRATIONS_PATH}
    />
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
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
      <p>
        Copy it now. It is not shown again.{" "}
        {kind === "key"
          ? "Programs send it as Authorization: Bearer, never in a URL."
          : "The receiver verifies the signature of each delivery with it."}
        {kind === "renewed" && " The previous secret works for 24 more hours."}
      </p>
    </section>
  );
}

/** Button that copies a text, where a script can. */
function CopyButton({ text }: { text: string }) {
  const isHydrated = useHydrated();
  const [state, setState] = useState("Copy");
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("Copied"),
      () => setState("Not copied: mark it by hand"),
    );
  if (!isHydrated) return null;
  return (
    <button type="button" className="btn small" onClick={copy}>
      {state}
    </button>
  );
}

function KeyPanel({ page: { keys } }: Pick<IntegrationsProps, "page">) {
  return (
    <Panel
      title="API keys"
      note="a key acts as its owner"
      heads={["Name", "Access", "Owner", "Created", "Last use", "Actions"]}
      hasActions
      rows={keys.map(({ id, name, scope, owner, created, used }) => ({
        key: id,
        cells: [
          name,
          SCOPE_LABELS[scope],
          owner,
          created,
          used,
          <ActLink key="revoke" to={dialogUrl("revoke", id)} label="Revoke" of={name} />,
        ],
      }))}
      empty="No program has a key yet."
    />
  );
}

type KeyFormProps = FormProps & { page: Pick<IntegrationsPage, "email" | "hasFactor"> };

function KeyForm({ page: { email, hasFactor }, errorOf, sentIn }: KeyFormProps) {
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
          defaultValue={sentIn("name")[0]}
          error={errorOf("name")}
        />
        <Segments
          id="key-scope"
          name="scope"
          legend="Access"
          defaultValue={sentIn("scope")[0] ?? "read"}
          options={KEY_SCOPES.map((scope) => ({ value: scope, label: SCOPE_LABELS[scope] }))}
          error={errorOf("scope")}
        />
        <OwnPassword id="key-password" email={email} error={errorOf("currentPassword")} />
        {hasFactor && <FactorCode id="key-code" name="code" required error={errorOf("code")} />}
        <SubmitButton intent="create-key" busy="Making..." className="btn primary">
          Make key
        </SubmitButton>
      </Form>
    </section>
  );
}
