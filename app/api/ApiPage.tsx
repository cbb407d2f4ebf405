import { ContentsPage } from "~/ui/ContentsPage";
import type { ApiPageData } from "./routes.server";

/** Reference of the API for readers: every route with its access, an example and its errors. */
export function ApiPage({ url, keys, webhooks, events, groups }: ApiPageData) {
  const contents = [
    { id: "keys", title: "API keys" },
    { id: "webhooks", title: "Webhooks" },
    ...groups.map(({ tag, heading }) => ({ id: tag, title: heading })),
  ];
  return (
    <ContentsPage title="API" lead={<Lead url={url} />} contents={contents} className="api-reference">
      <Integrations keys={keys} webhooks={webhooks} events={events} />
      {groups.map(({ tag, heading, calls }) => (
        <section key={tag} id={tag}>
          <h2>{heading}</h2>
          {calls.map((call) => (
            <Call key={call.call} {...call} />
          ))}
        </section>
      ))}
    </ContentsPage>
  );
}

function Lead({ url }: Pick<ApiPageData, "url">) {
  return (
    <>
      All routes stand below <code>{url}</code>. For programs, the same as an{" "}
      <a className="link" href="/api/openapi.json">
        OpenAPI document
      </a>
      .
    </>
  );
}

/** Rules of API keys and webhooks, with an example of each event. */
function Integrations({ keys, webhooks, events }: Pick<ApiPageData, "keys" | "webhooks" | "events">) {
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

type CallProps = ApiPageData["groups"][number]["calls"][number];

function Call({ call, summary, access, requestExample, responseExample, errors }: CallProps) {
  return (
    <details>
      <summary>
        <code>{call}</code> {summary}
      </summary>
      <p>
        {access} Errors: {errors.join(", ")}.
      </p>
      {requestExample && <Example title="Request" text={requestExample} />}
      {responseExample && <Example title="Answer" text={responseExample} />}
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
