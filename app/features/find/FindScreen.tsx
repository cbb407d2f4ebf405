import { useActionData } from "@remix-run/react";
import { Icon } from "~/ui/Icon";
import { Form, Link } from "~/ui/navigation";
import { StatusRegion } from "~/ui/StatusRegion";
import type { RefusedForm } from "~/ui/useCheckedForm";
import { HitContent, NothingFound } from "./hit-parts";
import { FIND_PATH, type Found, GROUP_TITLES, type Group, type Hit, MAX_FIND } from "./hits";

/** Answer to a search whose request failed. */
export const unanswered = (q: string): Found & { heading: { title: string } } => ({
  ...{ heading: { title: "Find anything" }, q, groups: [] },
  failure: "The search did not work. Please try again.",
});

/** Page of the search, which works without JavaScript. */
export function FindScreen({ page: { q, groups, failure } }: { page: Found }) {
  const refused = useActionData<RefusedForm>();
  return (
    <>
      <StatusRegion message={refused?.failure ?? failure} answer={refused ?? groups} />
      <section className="panel find-page">
        <Form method="get" action={FIND_PATH} role="search" className="find-field">
          <Icon name="search" />
          <input
            type="search"
            name="q"
            key={q}
            defaultValue={q}
            maxLength={MAX_FIND}
            placeholder="Find anything"
            aria-label="Find anything"
            autoComplete="off"
          />
          <button type="submit" className="btn">
            Find
          </button>
        </Form>
        <div className="find-list">
          {groups.length === 0 && !failure && <NothingFound q={q} />}
          {groups.map((group) => (
            <FoundGroup key={group.kind} group={group} q={q} />
          ))}
        </div>
      </section>
    </>
  );
}

function FoundGroup({ group: { kind, hits, more }, q }: { group: Group; q: string }) {
  const title = GROUP_TITLES[kind];
  return (
    <section aria-labelledby={`found-${kind}`}>
      <h2 className="find-head" id={`found-${kind}`}>
        {title}
      </h2>
      <ul>
        {hits.map((hit) => (
          <li key={hit.id}>
            <FoundHit hit={hit} q={q} />
          </li>
        ))}
        {more && (
          <li>
            <Link className="find-hit" to={more}>
              <span className="find-icon">
                <Icon name="arrow-right" className="i s" />
              </span>
              <span className="find-title">{`All ${title.toLowerCase()} with “${q}”`}</span>
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}

function FoundHit({ hit, q }: { hit: Hit; q: string }) {
  if (!hit.form)
    return (
      <Link className="find-hit" to={hit.to}>
        <HitContent hit={hit} q={q} />
      </Link>
    );
  return (
    <Form method="post" action={FIND_PATH}>
      <input type="hidden" name="isOnline" value={String(hit.form.isOnline)} />
      <button type="submit" name="intent" value={hit.form.intent} className="find-hit">
        <HitContent hit={hit} q={q} />
      </button>
    </Form>
  );
}
