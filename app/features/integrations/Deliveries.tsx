import { Link } from "~/ui/navigation";
import type { IntegrationsPage } from "./operations.server";
import { INTEGRATIONS_PATH, type WebhookEvent } from "./schema";
import { Act, addressOf } from "./Webhooks";

type Log = NonNullable<IntegrationsPage["log"]>;
type Delivery = Log["rows"][number];
type Webhooks = NonNullable<IntegrationsPage["webhooks"]>;

const STATES = { waiting: "Waiting", delivered: "Delivered", failed: "Failed" };

/** Texts of an event in the log, with the page of what it is about. */
const EVENTS: Record<WebhookEvent, { text: string; gone: string; path(id: string): string }> = {
  "sale.recorded": { text: "Sale", gone: "of a removed document", path: (id) => `/admin/documents/${id}` },
  "chat.message": { text: "Message of", gone: "a visitor", path: (id) => `/admin/chat?chat=${id}` },
  "stock.low": {
    text: "Low stock of",
    gone: "a deleted product",
    path: (id) => `/admin/products-management?edit=${id}`,
  },
  "product.changed": {
    text: "Change of",
    gone: "a deleted product",
    path: (id) => `/admin/products-management?edit=${id}`,
  },
};

function logUrl(webhookId: string | null, older: string | null = null): string {
  const search = new URLSearchParams({ ...(webhookId && { webhook: webhookId }), ...(older && { older }) });
  return search.size > 0 ? `${INTEGRATIONS_PATH}?${search}` : INTEGRATIONS_PATH;
}

/** Log of all webhooks or of one, newest first, in pages. */
export function Deliveries({ log, webhooks }: { log: Log; webhooks: Webhooks }) {
  const { rows, webhookId } = log;
  return (
    <section className="panel health-panel" aria-labelledby="deliveries">
      <header>
        <h2 id="deliveries">Deliveries</h2>
        <p>newest first, 30 days</p>
      </header>
      {webhooks.length > 1 && <WebhookPills webhookId={webhookId} webhooks={webhooks} />}
      {rows.length === 0 ? <p>No event yet.</p> : <DeliveryTable rows={rows} webhooks={webhooks} />}
      <LogPages log={log} />
    </section>
  );
}

function WebhookPills({ webhookId, webhooks }: { webhookId: string | null; webhooks: Webhooks }) {
  const pills = [
    { id: null, label: "All" },
    ...webhooks.map(({ id, url }) => ({ id, label: addressOf(url) })),
  ];
  return (
    <nav className="filter-pills" aria-label="Webhook">
      {pills.map(({ id, label }) => (
        <Link
          key={id}
          to={logUrl(id)}
          aria-current={id === webhookId ? "page" : undefined}
          preventScrollReset
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function DeliveryTable({ rows, webhooks }: { rows: Delivery[]; webhooks: Webhooks }) {
  const targets = new Map(webhooks.map(({ id, url }) => [id, addressOf(url)]));
  return (
    <table className="figures delivery-table">
      <thead>
        <tr>
          {["Event", "To", "Time", "State"].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <DeliveryRow key={row.id} row={row} target={targets.get(row.webhookId) ?? ""} />
        ))}
      </tbody>
    </table>
  );
}

function DeliveryRow({ row, target }: { row: Delivery; target: string }) {
  const { id, event, time, state, result, next, attempts } = row;
  const detail = [
    result,
    attempts > 1 ? `${attempts} attempts` : "",
    next ? `next attempt ${next}` : "",
  ].filter(Boolean);
  return (
    <tr>
      <td className="cell-event">
        <Subject row={row} />
      </td>
      <td className="cell-target">{target}</td>
      <td className="cell-time">{time}</td>
      <td className="cell-state">
        <span className={state === "failed" ? "failed" : undefined}>{STATES[state]}</span>{" "}
        <span className="soft">{detail.join("; ")}</span>
      </td>
      <td className="cell-act">
        <Act intent="resend" id={id} label="Resend" of={`${event} to ${target}`} />
      </td>
    </tr>
  );
}

function Subject({ row: { event, subject, name } }: { row: Delivery }) {
  const { text, gone, path } = EVENTS[event as WebhookEvent];
  if (name === null) return `${text} ${gone}`;
  return (
    <>
      {text}{" "}
      <Link className="link" to={path(encodeURIComponent(subject))}>
        {name || "a visitor"}
      </Link>
    </>
  );
}

function LogPages({ log: { webhookId, isNewest, older } }: { log: Log }) {
  if (isNewest && !older) return null;
  return (
    <nav className="button-row log-pages" aria-label="Pages of the log">
      {!isNewest && (
        <Link className="btn small" to={logUrl(webhookId)} preventScrollReset>
          Newest
        </Link>
      )}
      {older && (
        <Link className="btn small" to={logUrl(webhookId, older)} rel="next" preventScrollReset>
          Older
        </Link>
      )}
    </nav>
  );
}
