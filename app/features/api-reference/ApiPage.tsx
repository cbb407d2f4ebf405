import type { ApiPage as Page } from "./routes.server";

const HEADINGS: Record<string, string> = {
  auth: "Sign-in",
  product: "Products",
  storage: "Pictures",
  user: "Users",
  invoice: "Sales entries",
  expense: "Expenses",
  sale: "Sales",
  hold: "Holds",
  quote: "Quotes",
  customer: "Customers",
  chat: "Conversations",
  push: "Notifications",
};

/** Reference of the API for readers: every route with its access, an example and its errors. */
export function ApiPage({ url, keys, webhooks, events, groups }: Page) {
  return (
    <div className="wrap legal api-reference">
      <header className="legal-head">
        <h1>API</h1>
        <p>
          All routes stand below <code>{url}</code>. For programs, the same as an{" "}
          <a className="link" href="/api/openapi.json">
            OpenAPI document
          </a>
          .
        </p>
      </header>
      <Contents groups={groups} />
      <div className="legal-text">
        <Integrations keys={keys} webhooks={webhooks} events={events} />
        {groups.map(({ tag, calls }) => (
          <section key={tag} id={tag}>
            <h2>{HEADINGS[tag] ?? tag}</h2>
            {calls.map((call) => (
              <Call key={call.call} {...call} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function Contents({ groups }: Pick<Page, "groups">) {
  return (
    <nav className="legal-contents" aria-label="Contents">
      <ol>
        <li>
          <a href="#keys">API keys</a>
        </li>
        <li>
          <a href="#webhooks">Webhooks</a>
        </li>
        {groups.map(({ tag }) => (
          <li key={tag}>
            <a href={`#${tag}`}>{HEADINGS[tag] ?? tag}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Rules of API keys and webhooks, with an example of each event. */
function Integrations({ keys, webhooks, events }: Pick<Page, "keys" | "webhooks" | "events">) {
  return (
    <>
      <section id="keys">
        <h2>API keys</h2>
        <p>{keys}</p>
      </section>
      <section id="webhooks">
        <h2>Webhooks</h2>
        <p>{webhooks}</p>
        {events.map(({ event, summary, example }) => (
          <details key={event}>
            <summary>
              <code>{event}</code> {summary}
            </summary>
            <Example title="Event" text={example} />
          </details>
        ))}
      </section>
    </>
  );
}

type CallProps = Page["groups"][number]["calls"][number];

function Call({ call, summary, access, sends, answers, errors }: CallProps) {
  return (
    <details>
      <summary>
        <code>{call}</code> {summary}
      </summary>
      <p>
        {access} Errors: {errors.join(", ")}.
      </p>
      {sends && <Example title="Request" text={sends} />}
      {answers && <Example title="Answer" text={answers} />}
    </details>
  );
}

function Example({ title, text }: { title: string; text: string }) {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <pre>{text}</pre>
    </figure>
  );
}
